import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import {
  Autocomplete,
  Dialog,
  Header,
  Input,
  ListBox,
  ListBoxItem,
  ListBoxSection,
  Modal,
  ModalOverlay,
  SearchField,
  useFilter,
} from 'react-aria-components';
import { structureQuery } from '../api/queries.ts';
import { useTenantId } from '../parts/tenant.ts';
import overlay from '@sluice/ui/overlay.module.css';
import { navigation } from './navigation.tsx';
import styles from './palette.module.css';

/** Finds pages and deployments by typing. More kinds are added here as their pages come. */
export function Palette({
  isOpen,
  onOpenChange,
}: {
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
}) {
  return (
    <ModalOverlay
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      isDismissable
      className={overlay.backdrop ?? ''}
    >
      <Modal className={overlay.modal ?? ''}>
        <Dialog aria-label="Find" className={styles.dialog ?? ''}>
          {({ close }) => <PaletteContent close={close} />}
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

function PaletteContent({ close }: { close: () => void }) {
  const tenantId = useTenantId();
  const navigate = useNavigate();
  const { contains } = useFilter({ sensitivity: 'base' });
  const { data: structure } = useQuery(structureQuery(tenantId));
  const [text, setText] = useState('');
  const deployments = (structure?.divisions ?? []).flatMap((division) =>
    division.environments.flatMap((environment) =>
      environment.deployments.map(({ id, name }) => ({
        id,
        name,
        divisionId: division.id,
        environmentId: environment.id,
        place: `${division.name} / ${environment.name}`,
      })),
    ),
  );
  const found = deployments.filter(({ name, place }) => contains(`${place} / ${name}`, text)).slice(0, 20);
  const open = (key: string) => {
    close();
    const entry = navigation.find(({ to }) => to === key);
    const params = { tenantId };
    const deployment = deployments.find(({ id }) => `deployment ${id}` === key);
    if (entry) void navigate({ to: entry.to, params });
    else if (deployment)
      void navigate({
        to: '/t/$tenantId/d/$divisionId/$environmentId/$deploymentId',
        params: { ...params, ...deployment, deploymentId: deployment.id },
      });
  };
  return (
    <Autocomplete filter={contains} inputValue={text} onInputChange={setText}>
      <SearchField aria-label="Find" autoFocus>
        <Input className={styles.input ?? ''} placeholder="Find a page or a deployment" />
      </SearchField>
      {/* it scrolls, so keys have to reach it */}
      <div className={styles.results} tabIndex={0} role="region" aria-label="What fits">
        <ListBox
          aria-label="Found"
          className={styles.list ?? ''}
          onAction={(key) => open(String(key))}
          renderEmptyState={() => <p className={overlay.group}>Nothing fits.</p>}
        >
          <ListBoxSection>
            <Header className={overlay.group ?? ''}>Pages</Header>
            {navigation.map(({ to, title, icon }) => (
              <ListBoxItem key={to} id={to} textValue={title} className={overlay.item ?? ''}>
                {icon}
                {title}
              </ListBoxItem>
            ))}
          </ListBoxSection>
          {found.length > 0 && (
            <ListBoxSection>
              <Header className={overlay.group ?? ''}>Deployments</Header>
              {found.map(({ id, name, place }) => (
                <ListBoxItem
                  key={id}
                  id={`deployment ${id}`}
                  textValue={`${place} / ${name}`}
                  className={overlay.item ?? ''}
                >
                  {name}
                  <span className={overlay.itemNote}>{place}</span>
                </ListBoxItem>
              ))}
            </ListBoxSection>
          )}
        </ListBox>
      </div>
    </Autocomplete>
  );
}
