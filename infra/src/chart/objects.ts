import type { KubernetesObject } from '../kubernetes/objects.ts';
import { templateOf } from './template.ts';
import { withVariant } from './variants.ts';

/** An object of the chart, and the conditions of Helm under which it is there. */
export interface Templated {
  object: KubernetesObject;
  conditions: string[];
}

/** A component of kustomize, as far as it is not a value of the chart. */
export interface Variant {
  condition: string;
  objects: KubernetesObject[];
}

export const identityOf = ({ apiVersion, kind, metadata }: KubernetesObject) =>
  `${apiVersion} ${kind} ${metadata.name}`;

/**
 * The objects of a base with what each variant changes, as conditions.
 *
 * @param place puts places for values into an object
 */
export function withVariants(
  base: readonly KubernetesObject[],
  variants: readonly Variant[],
  place: (object: KubernetesObject) => void,
): Templated[] {
  const copy = (object: KubernetesObject) => {
    const tree = structuredClone(object);
    place(tree);
    return tree;
  };
  const all = base.map((object): Templated => ({
    object: copy(object),
    conditions: object.kind === 'Namespace' ? ['$.Values.namespaces.create'] : [],
  }));
  for (const { condition, objects } of variants) {
    const byIdentity = new Map(objects.map((object) => [identityOf(object), object]));
    base.forEach((object, index) => {
      const templated = all[index];
      const variant = byIdentity.get(identityOf(object));
      if (!templated) return;
      // settings are values of the chart
      if (object.kind === 'ConfigMap') return;
      if (variant) withVariant(templated.object, object, variant, condition);
      else templated.conditions.push(`(not (${condition}))`);
    });
    const known = new Set(base.map(identityOf));
    for (const object of objects)
      if (!known.has(identityOf(object))) all.push({ object: copy(object), conditions: [`(${condition})`] });
  }
  return all;
}

/** The text of the template of objects. */
export function textOfObjects(objects: readonly Templated[]): string {
  return objects
    .map(({ object, conditions }) => {
      const text = `---\n${templateOf(object)}`;
      if (conditions.length === 0) return text;
      const condition = conditions.length === 1 ? conditions[0] : `and ${conditions.join(' ')}`;
      return `{{- if ${condition} }}\n${text}{{- end }}\n`;
    })
    .join('');
}
