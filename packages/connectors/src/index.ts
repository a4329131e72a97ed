/** The connectors that deployments can have: what they can be told, and what does the work. */
export * from './destinations.ts';
export * from './plugin.ts';
export { findPlugin, plugins } from './plugins/index.ts';
