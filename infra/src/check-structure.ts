import { repository } from './settings.ts';
import { sizeProblems } from './source-size.ts';
import { structureProblems } from './structure.ts';

/** Refuses imports that lead the wrong way, circles, and what has too many lines: ends with exit code 1 and what is wrong. */
const problems = [...sizeProblems(repository), ...(await structureProblems(repository))];
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
