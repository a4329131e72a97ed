import { useQuery } from '@tanstack/react-query';
import type { Control, FieldPath, FieldValues } from 'react-hook-form';
import { installationQuery } from '@sluice/console-core/api/queries.ts';
import { Button } from '@sluice/ui/button.tsx';
import { FormText } from '@sluice/ui/form.tsx';
import { addressesIn } from './key-form.ts';
import styles from './keys.module.css';

/** From which addresses a key may be used, with a button for the person's own. */
export function AddressesField<Values extends FieldValues>({
  control,
  name,
  value,
  onAdd,
}: {
  control: Control<Values>;
  name: FieldPath<Values>;
  value: string;
  onAdd: (text: string) => void;
}) {
  const { data: installation } = useQuery(installationQuery);
  const own = installation?.address ?? undefined;
  return (
    <FormText
      control={control}
      name={name}
      label="Addresses"
      description="The only ones that it may be used from, such as 192.0.2.0/24, one per line. Empty for any."
      isMono
      rows={3}
      beside={
        own !== undefined && (
          <Button
            className={styles.beside}
            isDisabled={addressesIn(value).includes(own)}
            onPress={() => onAdd([...addressesIn(value), own].join('\n'))}
          >
            Add my address
          </Button>
        )
      }
    />
  );
}
