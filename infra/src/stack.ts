import { launchStack } from './launcher.ts';
import { sluicePlan } from './sluice-plan.ts';

await launchStack(sluicePlan);
