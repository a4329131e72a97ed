// A supervisor whose nodes are simulated: for measurements. Nodes from the id in the first argument on have been running all
// along; the agents of new ones speak from within this process.
import { runService } from '@sluice/service';
import { enrolAndReport } from '@sluice/testing';
import { startSupervisor } from '../src/app.ts';
import { supervisorEnvironment } from '../src/config.ts';
import { simulatedDrivers } from './simulated-drivers.ts';

await runService('supervisor', supervisorEnvironment, (environment, log) =>
  startSupervisor(environment, log, {
    drivers: simulatedDrivers({
      runningFrom: Number(process.argv[2]),
      enrol: (node, token) => {
        enrolAndReport(environment.PUBLIC_URL, node, token).catch((error: unknown) =>
          log.error('a simulated agent has failed', { node, error }),
        );
      },
    }),
  }),
);
