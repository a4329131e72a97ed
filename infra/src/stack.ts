import { streamPageFolder, webAppFolder } from './console/build.ts';
import { launchStack } from './launcher.ts';
import { sluicePlan } from './sluice-plan.ts';

await launchStack(async (settings, home, natsServer) => {
  const folders = await Promise.all([webAppFolder((line) => console.log(line)), streamPageFolder()]);
  return await sluicePlan(settings, home, natsServer, ...folders);
});
