import { runService, signingServiceEnvironment } from '@sluice/service';
import { consume, nameOf, sight } from './messages.ts';
import { serveWidgets } from './widget-service.ts';

/** A widget service that a message called `deadly` kills, as one that uses up all memory would. */
await runService('widgets', signingServiceEnvironment, async (environment, log) => {
  const widgets = await serveWidgets(environment, log, { ownsStreams: true, authorizes: false });
  const kill = () => process.kill(process.pid, 'SIGKILL');
  await consume(
    widgets,
    async (message, tx) => {
      if (nameOf(message) === 'deadly') {
        kill();
        await new Promise(() => undefined);
      }
      await sight(message, tx);
    },
    { ackWaitMilliseconds: 1_000 },
  );
  return widgets;
});
