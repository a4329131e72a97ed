import { Controller, useForm } from 'react-hook-form';
import { createBudget, getBudget, updateBudget, type Budget, type Structure } from '@sluice/client';
import { sluice as client } from '@sluice/console-core/api/client.ts';
import { versioned, type Versioned } from '@sluice/console-core/api/versions.ts';
import { placeOptions } from '@sluice/console-core/lib/place-options.ts';
import { isAmount } from '@sluice/ui/lib/money.ts';
import { AsCode } from '@sluice/console-core/parts/as-code.tsx';
import { EditedForm } from '@sluice/console-core/parts/edited-form.tsx';
import { useMeanwhile } from '@sluice/console-core/parts/meanwhile.tsx';
import { Select } from '@sluice/ui/choice.tsx';
import { Dialog } from '@sluice/ui/dialog.tsx';
import { Form, FormText } from '@sluice/ui/form.tsx';
import { toast } from '@sluice/ui/toast.tsx';
import { refreshBilling } from './queries.ts';

interface BudgetDialogProps {
  tenantId: number;
  /** undefined for a new one */
  budget: Budget | undefined;
  structure: Structure | undefined;
  onClose: () => void;
}

interface Values {
  name: string;
  amount: string;
  /** the key of a place, `label`, or empty for all */
  covers: string;
  label: string;
}

const valuesOf = (budget: Budget | undefined): Values => ({
  ...{ name: budget?.name ?? '', amount: budget?.amount_usd ?? '' },
  ...{ covers: '', label: '' },
});

const readBudget = (tenant_id: number, budget_id: number) => () =>
  versioned(getBudget({ client, path: { tenant_id, budget_id } }));

/** Makes or changes a budget. What one covers stays as it is. */
export function BudgetDialog({ budget, onClose, ...form }: BudgetDialogProps) {
  return (
    <Dialog
      title={budget ? `Change the budget ${budget.name}` : 'Add a budget'}
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
    >
      {budget ? (
        <EditedForm
          of={['budget', form.tenantId, budget.id]}
          read={readBudget(form.tenantId, budget.id)}
          lines={3}
        >
          {(read) => <BudgetForm {...form} read={read} onClose={onClose} />}
        </EditedForm>
      ) : (
        <BudgetForm {...form} read={undefined} onClose={onClose} />
      )}
    </Dialog>
  );
}

interface FormProps extends Omit<BudgetDialogProps, 'budget'> {
  /** of the budget that is changed */
  read: Versioned<Budget> | undefined;
}

function BudgetForm({ tenantId, read, structure, onClose }: FormProps) {
  const places = structure ? placeOptions(structure) : [];
  const form = useForm<Values>({ defaultValues: valuesOf(read?.value) });
  const { name, amount, covers, label } = form.watch();
  const {
    base: budget,
    send,
    dialog,
  } = useMeanwhile<Budget | undefined>({
    first: read ?? { value: undefined, version: '*' },
    read: readBudget(tenantId, read?.value.id ?? 0),
    shown: (one) => one && { name: one.name, amount: one.amount_usd },
    mine: { name, amount: amount.trim() },
    put: (one) => form.reset(valuesOf(one)),
  });
  const place = places.find(({ key }) => key === covers);
  const [, labelKey, labelValue] = /^([^=]+)=(.*)$/.exec(label.trim()) ?? [];
  const coverage = {
    ...(place && place.environment === null && { division: place.division }),
    ...(place && place.environment !== null && { environment: place.environment }),
    ...(covers === 'label' &&
      labelKey !== undefined && { label: { key: labelKey, value: labelValue ?? '' } }),
  };
  const body = { name, amount, ...(budget === undefined && coverage) };
  const path = `/tenants/${tenantId}/billing/budgets`;
  const save = async () => {
    if (!isAmount(amount.trim())) {
      form.setError('amount', { message: 'US dollars, such as 250 or 99.90.' });
      return;
    }
    if (budget === undefined && covers === 'label' && labelKey === undefined) {
      form.setError('label', { message: 'A key and a value, such as team=payments.' });
      return;
    }
    const given = { ...body, amount: amount.trim() };
    await send(async (version) => {
      const path = { tenant_id: tenantId };
      if (budget) {
        const of = { ...path, budget_id: budget.id };
        await updateBudget({ client, path: of, body: given, headers: { 'If-Match': version } });
      } else await createBudget({ client, path, body: given });
      toast(budget ? 'The budget is changed' : 'The budget is there');
      await refreshBilling(tenantId);
      onClose();
    });
  };
  return (
    <Form
      form={form}
      action={budget ? 'Save' : 'Add'}
      onSubmit={save}
      beside={
        <AsCode
          command={[
            ...['billing', 'budgets', budget ? 'edit' : 'create', budget?.name ?? name],
            ...['--amount', amount],
            ...(budget && name !== budget.name ? ['--name', name] : []),
            ...(place && place.environment === null ? ['--division', place.label] : []),
            ...(place && place.environment !== null ? ['--environment', place.label] : []),
            ...(covers === 'label' ? ['--label', label] : []),
          ]}
          request={{
            method: budget ? 'PUT' : 'POST',
            path: budget ? `${path}/${budget.id}` : path,
            body,
          }}
        />
      }
    >
      <FormText control={form.control} name="name" label="Name" isRequired autoFocus />
      <FormText
        control={form.control}
        name="amount"
        label="Amount of a month"
        description="US dollars."
        inputMode="decimal"
        isRequired
      />
      {budget === undefined && (
        <Controller
          control={form.control}
          name="covers"
          render={({ field }) => (
            <Select
              label="Covers"
              options={[
                { key: '', label: 'All of the organization' },
                ...places.map(({ key, label: text }) => ({ key, label: text })),
                { key: 'label', label: 'Deployments with a label' },
              ]}
              value={field.value}
              onChange={(key) => field.onChange(key ?? '')}
            />
          )}
        />
      )}
      {budget === undefined && covers === 'label' && (
        <FormText control={form.control} name="label" label="Label" placeholder="team=payments" isRequired />
      )}
      {dialog}
    </Form>
  );
}
