import { useState } from 'react';
import { ComboBox, Select } from '@sluice/ui/choice.tsx';
import { Card } from '@sluice/ui/data.tsx';
import { Checkbox, SearchField, Switch, TextField } from '@sluice/ui/field.tsx';
import styles from './design.module.css';

const options = [
  { key: 'small', label: 'Small', note: '2 vCPU' },
  { key: 'medium', label: 'Medium', note: '4 vCPU' },
  { key: 'large', label: 'Large', disabledReason: 'not in the plan' },
];

/** Fields with their states. */
export function Fields() {
  const [tier, setTier] = useState<string | null>('small');
  const [found, setFound] = useState('');
  return (
    <Card title="Fields">
      <div className={styles.grid}>
        <TextField label="Name" description="A DNS label." placeholder="orders" isRequired />
        <TextField label="Name" value="Orders!" onChange={() => undefined} error="has to be a DNS label" />
        <TextField label="Name" value="orders" isDisabled />
        <TextField label="Description" rows={2} />
        <Select label="Tier" options={options} value={tier} onChange={setTier} />
        <ComboBox label="Tier" options={options} value={tier} onChange={setTier} />
        <SearchField label="Search" value={found} onChange={setFound} />
        <div>
          <Checkbox>Not chosen</Checkbox>
          <Checkbox defaultSelected>Chosen</Checkbox>
          <Checkbox isIndeterminate>Some</Checkbox>
          <Checkbox isDisabled>Disabled</Checkbox>
        </div>
        <div>
          <Switch>Off</Switch>
          <Switch defaultSelected>On</Switch>
          <Switch isDisabled>Disabled</Switch>
        </div>
      </div>
    </Card>
  );
}
