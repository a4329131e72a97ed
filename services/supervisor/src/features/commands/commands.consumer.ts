import { commandSchemas, consumerOf, messageSchema, supervisorOf, type RegionRef } from '@sluice/contracts';
import { NotUnderstood, type Consumer, type UnitOfWork } from '@sluice/messaging';
import type { ServiceRuntime } from '@sluice/runtime';
import type { Transaction } from '@sluice/region-store/tables';
import type { CommandsService } from './commands.service.ts';
import { deleteAgain } from '../connectors/connectors.service.ts';
import { reportAbandoned, reportUnreadable } from './unreadable-commands.ts';

/** Takes in the commands for one region; its replicas share one durable consumer. */
export const consumeCommands = (
  runtime: ServiceRuntime,
  place: RegionRef,
  work: UnitOfWork<Transaction>,
  commands: CommandsService,
  unreadableSeconds: number,
): Promise<Consumer<Transaction>> =>
  runtime.consume({
    ...consumerOf(runtime.topology, supervisorOf(place)),
    work,
    notUnderstood: {
      afterMilliseconds: unreadableSeconds * 1_000,
      report: ({ type, data }, tx) => reportUnreadable(tx, type, data),
    },
    abandoned: ({ type, data }, tx) => reportAbandoned(tx, type, data),
    handle: async (message, tx) => {
      const { type, data } = messageSchema.parse(message);
      switch (type) {
        case 'deployment_apply':
          return await commands.apply(tx, commandSchemas.deployment_apply.parse(data));
        case 'upgrade_deployment':
          return await commands.upgrade(tx, commandSchemas.upgrade_deployment.parse(data));
        case 'extend_deployment':
          return await commands.extend(tx, commandSchemas.extend_deployment.parse(data));
        case 'deployment_delete':
          return await commands.delete(tx, commandSchemas.deployment_delete.parse(data));
        case 'deployment_unknown':
          return await commands.disown(tx, commandSchemas.deployment_unknown.parse(data));
        case 'connector_activate':
          return await commands.activateConnector(tx, commandSchemas.connector_activate.parse(data));
        case 'connector_delete':
          return await deleteAgain(tx, commandSchemas.connector_delete.parse(data));
        default:
          throw new NotUnderstood(`there is no command '${type}'`);
      }
    },
  });
