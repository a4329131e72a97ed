import { webAppFolder } from './console/build.ts';
import { launchStack } from './launcher.ts';
import { sluicePlan } from './sluice-plan.ts';

await launchStack(async (settings, home, natsServer) =>
  sluicePlan(settings, home, natsServer, await webAppFolder((line) => console.log(line))),
);
