import type { Role } from '@sluice/client';
import { Checkbox } from '@sluice/ui/field.tsx';
import { Tag } from '@sluice/ui/status.tsx';
import styles from './people.module.css';

/** Which of the roles of the tenant a person has. */
export function RolesField({
  roles,
  value,
  onChange,
}: {
  roles: readonly Role[];
  value: readonly number[];
  onChange: (ids: number[]) => void;
}) {
  return (
    <fieldset className={styles.roles}>
      <legend>Roles</legend>
      {roles.map(({ id, name, kind }) => (
        <Checkbox
          key={id}
          isSelected={value.includes(id)}
          onChange={(isSelected) => onChange(isSelected ? [...value, id] : value.filter((one) => one !== id))}
        >
          {name}
          {kind === 'custom' && <Tag>custom</Tag>}
        </Checkbox>
      ))}
    </fieldset>
  );
}
