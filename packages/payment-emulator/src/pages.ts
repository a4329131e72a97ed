import { cardBehaviours, type CardBehaviour, type Session } from './state.ts';

const labels: Record<CardBehaviour, string> = {
  charged: 'A card that is charged',
  declined: 'A card that is declined when it is charged',
  answer_lost: 'A card whose charge is made, but its answer is lost',
};

const page = (body: string) =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>Test payments</title><h1>Test payments</h1>${body}</html>`;

/** The page on which a person chooses a card. No card number is asked for. */
export function cardPage({ id, status, metadata }: Session): string {
  if (status !== 'open') return page('<p>This page is not open any more.</p>');
  const buttons = cardBehaviours.map(
    (behaviour) => `<p><button name="behaviour" value="${behaviour}">${labels[behaviour]}</button></p>`,
  );
  return page(
    `<p>Choose a card for tenant ${Number(metadata['sluice_tenant'])}. Nothing is charged.</p>` +
      `<form method="post" action="/pay/${id}">${buttons.join('')}</form>`,
  );
}
