import type { TenantId } from '@sluice/contracts';

/** What a payment provider does for Sluice. Its hosted page takes cards: no card number comes here. */

/** A card as the provider names it. */
export interface Card {
  customer: string;
  reference: string;
  brand: string;
  last4: string;
  exp_month: number;
  exp_year: number;
}

/** A page of the provider on which a person enters a card. */
export interface SetupPage {
  reference: string;
  url: string;
  expires_at: Date;
}

export type SetupState = { status: 'open' | 'expired' } | { status: 'completed'; card: Card };

export interface ChargeRequest {
  /** also the idempotency key: the provider charges once for it */
  id: string;
  customer: string;
  method: string;
  invoice_id: number;
  /** exact, such as `12.30` */
  amount: string;
  currency: string;
  /** what stands on the statement of the card's owner */
  description: string;
}

export interface ChargeState {
  /** null for one that was refused before it was any */
  reference: string | null;
  status: 'open' | 'succeeded' | 'failed';
  /** why it failed, as the provider says it */
  failure: string | null;
}

/** What an event is about. Its state is fetched: the event may be old or come out of order. */
export interface ProviderEvent {
  id: string;
  about: { kind: 'intent' | 'invoice' | 'card'; subject: string } | null;
}

export interface PaymentProvider {
  readonly name: 'stripe' | 'test';
  /** US dollars, exact: it refuses a charge of less */
  readonly leastCharge: string;
  /** Opens a page for a card. The same `id` opens one page, however often. */
  openSetup(setup: {
    id: string;
    tenant_id: TenantId;
    email: string;
    returnUrl: string;
    expires_at: Date;
  }): Promise<SetupPage>;
  setupState(reference: string): Promise<SetupState>;
  /** undefined for a card that is detached */
  findCard(reference: string): Promise<Card | undefined>;
  /** Has the provider forget a card; one that it does not know counts as forgotten. */
  detach(reference: string): Promise<void>;
  /** Charges a card. @throws an error when the outcome is unknown: look it up before it is repeated */
  charge(request: ChargeRequest): Promise<ChargeState>;
  /**
   * Looks a charge up whose answer may have been lost, or one of the same invoice that has not failed: a database that was restored does not
   * know all that was charged.
   * @param reference the provider's name of the charge, where it is known
   * @param since when the invoice was issued
   */
  findCharge(request: ChargeRequest, reference: string | null, since: Date): Promise<ChargeState | undefined>;
  /** Reads an event from the bytes of a webhook. @throws Error where signature or age are wrong */
  readEvent(body: Uint8Array, signature: string, now: Date): ProviderEvent;
}
