import { Select } from '@sluice/ui/choice.tsx';
import { metricRanges, rangeNames, type MetricRange } from '../lib/ranges.ts';

interface RangeSelectProps {
  range: MetricRange;
  onChange: (range: MetricRange | undefined) => void;
}

/** Which times the charts of a page show. */
export const RangeSelect = ({ range, onChange }: RangeSelectProps) => (
  <Select
    label="Range"
    hideLabel
    options={metricRanges.map((key) => ({ key, label: rangeNames[key] }))}
    value={range}
    onChange={(chosen) => onChange(chosen ?? undefined)}
  />
);
