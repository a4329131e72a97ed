import { useState, type ReactNode } from 'react';
import { SluiceError } from '@sluice/client';
import { Plain } from '../../layout/plain.tsx';
import { Card } from '../../ui/data.tsx';
import { Button } from '../../ui/button.tsx';
export function DesignPage(): ReactNode {
  const [n] = useState(0);
  return <Plain title="Design"><Card title="x"><Button>{n}{SluiceError.name}</Button></Card></Plain>;
}
