/** What jest's globalSetup hands to the tests by environment. */
type Variable = 'TEST_POSTGRES_URL' | 'TEST_NATS_URL' | 'SLUICE_TEST_FOLDER';

export function handedOver(variable: Variable): string {
  const value = process.env[variable];
  if (!value)
    throw new Error(`${variable} is not set: run the tests with jest and the repository's jest.config.mjs.`);
  return value;
}

/** The environment of a program that a test starts: where compiled code is kept, without which it starts half as fast. */
export function compiledCode(): Record<string, string> {
  const { NODE_COMPILE_CACHE } = process.env;
  return NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE };
}
