import { isDeepStrictEqual } from 'node:util';
import { Place, when } from './template.ts';

/** What a component of kustomize changes, as conditions in a template: so the chart follows each component by itself. */

type Named = Record<string, unknown> & { name: string };
const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Place);
const areNamed = (value: unknown): value is Named[] =>
  Array.isArray(value) &&
  value.every((one) => isMap(one) && typeof one['name'] === 'string') &&
  new Set(value.map((one: Named) => one.name)).size === value.length;

/**
 * Changes `tree` so that it is `variant` where the condition of Helm is true.
 *
 * @param tree made of `base`, with places and the changes of other variants; lists have its items first
 * @param base what kustomize renders without the component
 * @param variant what it renders with it
 * @returns the value in place of `tree`
 */
export function withVariant(tree: unknown, base: unknown, variant: unknown, condition: string): unknown {
  if (isDeepStrictEqual(base, variant)) return tree;
  if (isMap(tree) && isMap(base) && isMap(variant)) {
    for (const key of new Set([...Object.keys(base), ...Object.keys(variant)])) {
      if (!(key in base)) add(tree, key, when(condition, variant[key]));
      else if (!(key in variant)) tree[key] = when(`not (${condition})`, tree[key]);
      else tree[key] = withVariant(tree[key], base[key], variant[key], condition);
    }
    return tree;
  }
  if (Array.isArray(tree) && areNamed(base) && areNamed(variant)) {
    base.forEach((one, index) => {
      const other = variant.find(({ name }) => name === one.name);
      tree[index] = other
        ? withVariant(tree[index], one, other, condition)
        : when(`not (${condition})`, tree[index]);
    });
    for (const one of variant)
      if (!base.some(({ name }) => name === one.name)) tree.push(when(condition, one));
    return tree;
  }
  return when(condition, variant, tree);
}

function add(tree: Record<string, unknown>, key: string, value: unknown): void {
  if (key in tree) throw new Error(`Two components add ${key}: the chart has one place for it.`);
  tree[key] = value;
}
