import { repository } from './settings.ts';
import { structureProblems } from './structure.ts';

/** Refuses imports that lead the wrong way, and circles: ends with exit code 1 and the imports that do. */
const problems = await structureProblems(repository);
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
