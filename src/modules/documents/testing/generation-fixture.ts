import type { WorkflowFixture } from './workflow-fixture.js';

export const TRIGGERS = '/api/v1/org/developer/triggers';
export const GENERATE = '/api/v1/ext/papers/generate';
const GENERATIONS = '/api/v1/org/papers/generations';
const DEALS = '/api/v1/ext/crm/deals';

// oxlint-disable-next-line typescript/no-explicit-any -- a test asserts the fields instead of declaring them
type Loose = any;

/** Triggers that generate documents, and what they generated, in the workspace of a workflow. */
export class GenerationFixture {
  constructor(private readonly workflow: WorkflowFixture) {}

  /** Sends a trigger for `deal.won`. */
  save(document_type_id: string, over: object = {}) {
    return this.workflow.screen.post(TRIGGERS, {
      name: 'Agreement',
      event_type: 'deal.won',
      document_type_id,
      title_template: 'Agreement: {{deal.name}}',
      source_map: { customer: 'deal.title', amount: 'deal.amount' },
      ...over,
    });
  }

  async trigger(document_type_id: string, over: object = {}): Promise<Loose> {
    const { status, body, text } = await this.save(document_type_id, over);
    if (status !== 201) throw new Error(text);
    return body;
  }

  /** A trigger for `deal.offered`, an event type of the caller. */
  offered(id: string, over: object = {}): Promise<Loose> {
    return this.trigger(id, { event_type: 'deal.offered', ...over });
  }

  generate(payload: object, over: object = {}, client = this.workflow.api) {
    return client.post(GENERATE, { event_type: 'deal.offered', payload, ...over });
  }

  async runs(query = ''): Promise<Loose[]> {
    return (await this.workflow.screen.get(`${GENERATIONS}${query}`)).body.data;
  }

  async documents(client = this.workflow.api): Promise<Loose[]> {
    return (await client.get('/api/v1/ext/papers/documents')).body.data;
  }

  /** Wins a deal like a CRM user. */
  async winDeal(over: object = {}, mode: 'live' | 'test' = 'live'): Promise<Loose> {
    const { client } = await this.workflow.space.key({ module: 'crm', mode });
    const { body: deal } = await client.post(DEALS, {
      title: 'Annual licence',
      amount: 1250,
      currency: 'EUR',
      project_id: this.workflow.space.eng.id,
      ...over,
    });
    const won = await client.patch(`${DEALS}/${deal.id}`, { status: 'won' });
    if (won.status !== 200) throw new Error(won.text);
    return won.body;
  }
}
