/** The test files of this run that may use the stack that they share, and have not ended. */
export const stackUsers = new Set<string>();

export const mayUseStack = (path: string) => path.includes('/test-e2e/');
