import type { ActionName } from '@sluice/console-core/api/actions.ts';

export const brokerKind = 'broker';

const manageActions = {
  create: ['createConfig', 'createConnectorConfig'],
  activate: ['activateConfig', 'activateConnectorConfig'],
  delete: ['deleteConfig', 'deleteConnectorConfig'],
} as const satisfies Record<string, [ActionName, ActionName]>;

/** The action that stores, activates or deletes a configuration: those of connectors need less. */
export const manageAction = (kind: string, what: keyof typeof manageActions): ActionName =>
  manageActions[what][kind === brokerKind ? 0 : 1];

/** `broker@2`, as commands take it */
export const titleOf = ({ name, version }: { name: string; version: number }): string => `${name}@${version}`;

/** The options of a command that say which kind is meant. */
export const kindFlag = (kind: string): string[] => (kind === brokerKind ? [] : ['--kind', kind]);
