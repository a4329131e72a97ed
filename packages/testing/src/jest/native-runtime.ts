import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const require = createRequire(import.meta.url);
/** where jest-circus keeps its tests and listeners */
const circusState = new Set(['JEST_STATE_SYMBOL', 'EVENT_HANDLERS']);
let imports = 0;

/**
 * Runs test files as Node itself runs modules, instead of jest's own module system: types are stripped by Node, and a
 * module is read, compiled and evaluated once per worker, not once per test file. That saves most of what a file of
 * service tests costs before its first test. What it gives up: module mocks, fake timers, and globals of one file alone.
 */
export default class NativeRuntime {
  /** A fresh jest-circus for each file, since it keeps the file's tests. */
  requireInternalModule(path: string): unknown {
    for (const symbol of Object.getOwnPropertySymbols(globalThis)) {
      if (circusState.has(symbol.description ?? '')) Reflect.deleteProperty(globalThis, symbol);
    }
    Reflect.deleteProperty(require.cache, path);
    return require(path);
  }

  requireModule(path: string): unknown {
    return require(path);
  }

  unstable_shouldLoadAsEsm(): boolean {
    return true;
  }

  async unstable_importModule(path: string): Promise<void> {
    const url = pathToFileURL(path);
    // without it, a second run in the same process would find the file loaded and its tests not defined
    if (imports++ > 0) url.searchParams.set('run', String(imports));
    await import(url.href);
  }

  setGlobalsForRuntime(): void {}
  enterTestCode(): void {}
  leaveTestCode(): void {}
  teardown(): void {}

  getSourceMaps(): Map<string, string> {
    return new Map();
  }

  getAllCoverageInfoCopy(): undefined {
    return undefined;
  }
}
