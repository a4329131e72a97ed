import { statSync } from 'node:fs';
import { mayUseStack, stackUsers } from './stack-users.ts';

interface Test {
  path: string;
}

const isLong = ({ path }: Test) => mayUseStack(path);
const size = ({ path }: Test) => statSync(path).size;

/**
 * jest's order of test files: those with whole stacks first, then the largest. Of a checkout that is new jest knows no times, and by size
 * alone some of the longest files would begin last, and run beside nothing.
 */
export default class LongFirst {
  sort<T extends Test>(tests: readonly T[]): T[] {
    for (const { path } of tests.filter(isLong)) stackUsers.add(path);
    return [...tests].sort(
      (one, other) => Number(isLong(other)) - Number(isLong(one)) || size(other) - size(one),
    );
  }

  /** nothing is kept for the next run */
  cacheResults(): void {}

  allFailedTests<T>(tests: T[]): T[] {
    return tests;
  }
}
