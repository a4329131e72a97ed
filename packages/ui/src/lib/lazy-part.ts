import { lazy, type ComponentType, type LazyExoticComponent } from 'react';

/**
 * A component whose code is loaded when it is drawn for the first time.
 * @param load imports the module
 * @param name what the module exports it as
 */
// oxlint-disable-next-line typescript/no-explicit-any -- React's own lazy takes components of any props
export const lazyPart = <Name extends string, Module extends Record<Name, ComponentType<any>>>(
  load: () => Promise<Module>,
  name: Name,
): LazyExoticComponent<Module[Name]> => lazy(async () => ({ default: (await load())[name] }));
