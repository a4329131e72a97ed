/** The connectors that deployments can have: what they can be told, and what does the work. */
export * from './plugin.ts';
