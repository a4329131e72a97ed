import { createHmac, randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type Request, type Response } from 'express';
import { cardPage } from './pages.ts';
import {
  cardBehaviours,
  emptyState,
  readState,
  writeState,
  type CardBehaviour,
  type Charge,
  type Method,
  type Session,
  type State,
} from './state.ts';

export type { CardBehaviour } from './state.ts';

export interface EmulatorOptions {
  /** by default a free one */
  port?: number;
  /** keeps what is known through a restart; without it nothing is kept */
  file?: string;
  /** where events go, if anywhere */
  webhookUrl?: string;
  webhookSecret: string;
  now?: () => Date;
}

type Fields = Record<string, string> & { metadata?: Record<string, string> };

/**
 * A server on this machine that speaks the part of Stripe's API that Sluice uses, with a page on which a card is chosen. It charges no card: for the
 * local stack, and for tests, which read and change its state.
 */
export class PaymentEmulator {
  readonly #options: EmulatorOptions;
  readonly #server: Server;
  state: State = emptyState();
  /** requests that were answered, by method and path */
  readonly calls: string[] = [];

  constructor(options: EmulatorOptions) {
    this.#options = options;
    this.#server = createServer(this.#app());
  }

  async open(): Promise<void> {
    this.state = await readState(this.#options.file);
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(this.#options.port ?? 0, '127.0.0.1', resolve);
    });
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Where events go from now on. */
  sendTo(webhookUrl: string): void {
    this.#options.webhookUrl = webhookUrl;
  }

  /** Chooses a card on the page of a session, as a person does. */
  async choose(pageUrl: string, behaviour: CardBehaviour): Promise<void> {
    await fetch(pageUrl, { method: 'POST', redirect: 'manual', body: new URLSearchParams({ behaviour }) });
  }

  /** An event as the provider sends it, with its signature. */
  event(type: string, object: object, id = newId('evt'), at = this.#now()) {
    const body = JSON.stringify({ id, object: 'event', type, created: seconds(at), data: { object } });
    const signed = createHmac('sha256', this.#options.webhookSecret)
      .update(`${seconds(at)}.${body}`)
      .digest('hex');
    return { body, headers: { 'stripe-signature': `t=${seconds(at)},v1=${signed}` } };
  }

  readonly #now = () => (this.#options.now ?? (() => new Date()))();

  async #send(type: string, object: object): Promise<void> {
    const { webhookUrl } = this.#options;
    if (webhookUrl === undefined) return;
    const { body, headers } = this.event(type, object);
    // one that is lost is found by a later look
    await fetch(webhookUrl, { method: 'POST', body, headers }).catch(() => undefined);
  }

  #app() {
    const app = express();
    app.use(express.urlencoded({ extended: true, limit: '64kb' }));
    app.use((request, _response, next) => {
      this.calls.push(`${request.method} ${request.path}`);
      next();
    });
    app.post('/v1/customers', (request, response) =>
      this.#once(request, response, () => {
        const customer = { id: newId('cus'), email: String((request.body as Fields)['email']) };
        this.state.customers[customer.id] = customer;
        return { status: 200, body: { ...customer, object: 'customer' } };
      }),
    );
    app.post('/v1/checkout/sessions', (request, response) =>
      this.#once(request, response, () => this.#openSession(request.body as Fields)),
    );
    app.get('/v1/checkout/sessions/:id', (request, response) => {
      const session = this.state.sessions[request.params.id];
      if (!session) return missing(response);
      if (session.status === 'open' && session.expires_at <= seconds(this.#now())) session.status = 'expired';
      const method = this.state.methods[session.payment_method ?? ''];
      const setup = method && {
        id: `seti_${session.id}`,
        object: 'setup_intent',
        payment_method: shown(method),
      };
      response.json({ ...session, object: 'checkout.session', setup_intent: setup ?? null });
    });
    app.get('/v1/payment_methods/:id', (request, response) => {
      const method = this.state.methods[request.params.id];
      if (!method) return missing(response);
      response.json(shown(method));
    });
    app.post('/v1/payment_methods/:id/detach', async (request, response) => {
      const method = this.state.methods[request.params.id];
      if (!method) return missing(response);
      method.customer = null;
      await this.#keep();
      response.json(shown(method));
    });
    app.post('/v1/payment_intents', (request, response) =>
      this.#once(request, response, () => this.#charge(request.body as Fields)),
    );
    app.get('/v1/payment_intents', (request, response) => {
      const found = Object.values(this.state.charges).filter(
        ({ customer }) => customer === request.query['customer'],
      );
      response.json({
        object: 'list',
        has_more: false,
        url: '/v1/payment_intents',
        data: found.map(shownCharge),
      });
    });
    app.get('/v1/payment_intents/:id', (request, response) => {
      const charge = this.state.charges[request.params.id];
      if (!charge) return missing(response);
      response.json(shownCharge(charge));
    });
    app.get('/pay/:id', (request, response) => {
      const session = this.state.sessions[request.params.id];
      if (!session) return missing(response);
      response.type('html').send(cardPage(session));
    });
    app.post('/pay/:id', async (request, response) => {
      const session = this.state.sessions[request.params.id];
      const behaviour = cardBehaviours.find((one) => one === (request.body as Fields)['behaviour']);
      if (!session || session.status !== 'open' || !behaviour) return missing(response);
      await this.#saveCard(session, behaviour);
      response.redirect(303, session.success_url);
    });
    return app;
  }

  /** Answers a repeated idempotency key as before. */
  async #once(
    request: Request,
    response: Response,
    run: () => { status: number; body: object; lost?: boolean },
  ) {
    const key = request.get('idempotency-key');
    const known = key === undefined ? undefined : this.state.answers[key];
    const answer = known ?? run();
    if (key !== undefined) this.state.answers[key] = { status: answer.status, body: answer.body };
    await this.#keep();
    if ('lost' in answer && answer.lost === true) return void response.destroy();
    response.status(answer.status).json(answer.body);
  }

  readonly #keep = () => writeState(this.#options.file, this.state);

  #openSession(fields: Fields) {
    const id = newId('cs_test');
    const session: Session = {
      ...{ id, customer: String(fields['customer']), status: 'open', payment_method: null },
      expires_at: Number(fields['expires_at']),
      metadata: fields.metadata ?? {},
      success_url: String(fields['success_url']),
    };
    this.state.sessions[id] = session;
    return { status: 200, body: { ...session, object: 'checkout.session', url: `${this.url}/pay/${id}` } };
  }

  async #saveCard(session: Session, behaviour: CardBehaviour): Promise<void> {
    const method: Method = {
      ...{ id: newId('pm'), customer: session.customer, behaviour },
      ...{ exp_month: 12, exp_year: this.#now().getUTCFullYear() + 3 },
    };
    this.state.methods[method.id] = method;
    session.status = 'complete';
    session.payment_method = method.id;
    await this.#keep();
    await this.#send('checkout.session.completed', { ...session, object: 'checkout.session' });
  }

  #charge(fields: Fields) {
    const method = this.state.methods[String(fields['payment_method'])];
    const declined = method?.customer !== fields['customer'] || method?.behaviour === 'declined';
    const charge: Charge = {
      ...{
        id: newId('pi'),
        customer: String(fields['customer']),
        payment_method: String(fields['payment_method']),
      },
      ...{
        amount: Number(fields['amount']),
        currency: String(fields['currency']),
        created: seconds(this.#now()),
      },
      status: declined ? 'requires_payment_method' : 'succeeded',
      decline_code: declined ? 'insufficient_funds' : null,
      metadata: fields.metadata ?? {},
    };
    this.state.charges[charge.id] = charge;
    void this.#send(`payment_intent.${declined ? 'payment_failed' : 'succeeded'}`, shownCharge(charge));
    if (!declined)
      return { status: 200, body: shownCharge(charge), lost: method?.behaviour === 'answer_lost' };
    const error = {
      ...{ type: 'card_error', code: 'card_declined', decline_code: charge.decline_code },
      ...{ message: 'Your card was declined.', payment_intent: shownCharge(charge) },
    };
    return { status: 402, body: { error } };
  }
}

const seconds = (time: Date) => Math.floor(time.getTime() / 1000);
const newId = (kind: string) => `${kind}_${randomBytes(12).toString('hex')}`;

const shown = ({ id, customer, exp_month, exp_year }: Method) => ({
  ...{ id, object: 'payment_method', type: 'card', customer },
  card: { brand: 'visa', last4: '4242', exp_month, exp_year },
});

const shownCharge = ({ decline_code, ...charge }: Charge) => ({
  ...{ ...charge, object: 'payment_intent' },
  last_payment_error: decline_code === null ? null : { code: 'card_declined', decline_code },
});

function missing(response: Response): void {
  const error = { type: 'invalid_request_error', code: 'resource_missing', message: 'No such object.' };
  response.status(404).json({ error });
}
