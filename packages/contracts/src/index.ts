/** What services agree on. The node agent takes only `@sluice/contracts/ids`, to start fast. */
export * from './agent.ts';
export * from './api-token.ts';
export * from './deployment.ts';
export * from './events.ts';
export * from './grants.ts';
export * from './ids.ts';
export * from './mails.ts';
export * from './messages.ts';
export * from './nats-permissions.ts';
export * from './permission-catalogue.ts';
export * from './permissions.ts';
export * from './plan.ts';
export * from './problems.ts';
export * from './senders.ts';
export * from './subjects.ts';
export * from './system-roles.ts';
export * from './visibility.ts';
