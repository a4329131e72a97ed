import { lazy, type ComponentType, type LazyExoticComponent } from 'react';

/**
 * A component whose code is loaded when it is drawn for the first time.
 * @param load imports the module
 * @param name what the module exports it as
 */
export const lazyPart = <Name extends string, Props>(
  load: () => Promise<Record<Name, ComponentType<Props>>>,
  name: Name,
): LazyExoticComponent<ComponentType<Props>> => lazy(async () => ({ default: (await load())[name] }));
