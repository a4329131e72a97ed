/** What tests of a whole region look into. */
export { readAgentRecord } from '../src/compute/node-folder.ts';
export { createLocalVolumes } from '../src/volumes/local-volumes.ts';
