import { useQuery } from '@tanstack/react-query';
import { structureQuery } from '@sluice/console-core/api/queries.ts';
import { isAt, type Grant } from '@sluice/console-core/lib/permission-grid.ts';
import { placeOptions } from '@sluice/console-core/lib/place-options.ts';
import { Button } from '@sluice/ui/button.tsx';
import { PlusIcon } from '@sluice/ui/icons.tsx';
import { Menu, MenuGroup, MenuItem } from '@sluice/ui/menu.tsx';

/** Adds an override for a division, for the environments in one, or for one environment. */
export function AddOverride({
  tenantId,
  grants,
  onAdd,
}: {
  tenantId: number;
  grants: readonly Grant[];
  onAdd: (grant: Omit<Grant, 'permissions'> & { permissions: string[] }) => void;
}) {
  const { data: structure } = useQuery(structureQuery(tenantId));
  const places = placeOptions(structure ?? { divisions: [] });
  const options = [
    ...places
      .filter(({ environment }) => environment === null)
      .map((place) => ({ ...place, scope: 'division' as const })),
    ...places.map((place) => ({ ...place, scope: 'environment' as const })),
  ]
    .map((place) => ({ ...place, key: `${place.scope} ${place.key}` }))
    .filter((place) => !grants.some((grant) => isAt(grant, place)));
  const add = (key: string) => {
    const found = options.find((one) => one.key === key);
    if (!found) return;
    const { scope, division, environment, label } = found;
    onAdd({ scope, division, environment, name: label, permissions: [] });
  };
  return (
    <Menu
      aria-label="Places of overrides"
      onAction={(key) => add(String(key))}
      trigger={
        <Button icon={<PlusIcon />} isDisabled={options.length === 0}>
          Add an override
        </Button>
      }
    >
      {(['division', 'environment'] as const).map((scope) => {
        const own = options.filter((option) => option.scope === scope);
        return (
          own.length > 0 && (
            <MenuGroup key={scope} title={scope === 'division' ? 'In a division' : 'In environments'}>
              {own.map(({ key, label, environment }) => (
                <MenuItem key={key} id={key} textValue={label}>
                  {scope === 'environment' && environment === null ? `all of ${label}` : label}
                </MenuItem>
              ))}
            </MenuGroup>
          )
        );
      })}
    </Menu>
  );
}
