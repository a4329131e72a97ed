/** The package has no types of its own. */
declare module 'postject' {
  export function inject(
    file: string,
    resource: string,
    content: Buffer,
    options: { sentinelFuse: string },
  ): Promise<void>;
}
