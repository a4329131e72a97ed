export * from './connector-values.ts';
export * from './destination-guard.ts';
export * from './plugin.ts';
export { findPlugin, plugins } from './plugins/index.ts';
export * from './s3-client.ts';
export { needJson, transform, type Transforms } from './transforms.ts';
