import type { Check } from '../check.ts';
import { agentChecks } from './agent.ts';
import { brokerChecks } from './broker.ts';
import { certificateChecks } from './certificate.ts';
import { connectorChecks } from './connectors.ts';
import { folderChecks } from './folder.ts';
import { gatewayChecks } from './gateway.ts';
import { memoryChecks } from './memory.ts';
import { networkChecks } from './network.ts';
import { processorChecks } from './processor.ts';
import { systemChecks } from './system.ts';
import { volumeChecks } from './volume.ts';

/** In the order of cause and effect: a full volume ends the broker, and that keeps clients out. */
export const nodeChecks: readonly Check[] = [
  ...volumeChecks,
  ...memoryChecks,
  ...systemChecks,
  ...certificateChecks,
  ...brokerChecks,
];

/** What follows those of the broker's product. */
export const furtherChecks: readonly Check[] = [
  ...gatewayChecks,
  ...connectorChecks,
  ...networkChecks,
  ...processorChecks,
  ...folderChecks,
  ...agentChecks,
];
