/** jest's environment for the native runtime: the globals of the process, given back as they were after each file. */
export default class NativeEnvironment {
  readonly global = globalThis;
  readonly fakeTimers = null;
  readonly fakeTimersModern = null;
  readonly moduleMocker = null;
  readonly #console = globalThis.console;
  readonly #exit = process.exit.bind(process);

  async setup(): Promise<void> {}

  async teardown(): Promise<void> {
    globalThis.console = this.#console;
    process.exit = this.#exit;
  }

  getVmContext(): null {
    return null;
  }

  exportConditions(): string[] {
    return ['node', 'node-addons'];
  }
}
