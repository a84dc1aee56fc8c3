import { party, type SigningFixture } from '../signing-fixture.js';
import type { Place } from './pictures.js';

/** Two corners of every page. */
const CORNERS = [
  { kind: 'text', label: 'Place', x: 0.08, y: 0.06, w: 0.3, h: 0.05 },
  { kind: 'text', label: 'Note', x: 0.6, y: 0.85, w: 0.3, h: 0.05 },
];
const FIELDS = { customer: { type: 'string' }, customer_email: { type: 'string' } } as const;
const VALUE = 'Łódź 0123';

/** A file on its way: as it is stored, as it is when it is finalized, and as it is executed. */
export interface Executed {
  stored: Buffer;
  final: Buffer;
  executed: Buffer;
  places: Place[];
  earlierSignatures: { is_intact: boolean | null; permits: string }[];
}

interface Uploaded {
  error: { message: string };
  pages: number;
  form_fields: { name: string; kind: string }[];
  earlier_signatures: Executed['earlierSignatures'];
}

/** In the corners of all pages, or else in the form fields, if its author permits nothing else. */
function fieldsOn({ pages, form_fields, earlier_signatures }: Uploaded): object[] {
  if (earlier_signatures.some(({ permits }) => permits === 'form_fields'))
    return form_fields
      .filter(({ kind }) => kind === 'text')
      .map(({ name }, index) => ({ kind: 'text', label: name, form_field: name, key: `f${index}`, party: 'customer' }));
  return Array.from({ length: pages }, (_, index) =>
    CORNERS.map((corner, at) => ({ ...corner, page: index + 1, key: `f${index}_${at}`, party: 'customer' })),
  ).flat();
}

/** Sends files to one party, which fills in and signs them. */
export class Sender {
  private count = 0;

  private constructor(
    private readonly signing: SigningFixture,
    private readonly type: string,
  ) {}

  static async of(signing: SigningFixture): Promise<Sender> {
    const field_schema = { type: 'object', properties: FIELDS } as const;
    const { code } = await signing.workflow.type({ field_schema, signature_parties: [party('customer')] });
    return new Sender(signing, code);
  }

  /** Why it is refused at upload, or what becomes of it. */
  async send(pdf: Buffer): Promise<string | Executed> {
    const { workflow } = this.signing;
    const { screen, app } = workflow;
    const email = `corpus-${Date.now().toString(36)}-${++this.count}@example.com`;
    const { id } = await workflow.draft(this.type, { title: 'Corpus', data_values: { customer: 'Ada Lovelace', customer_email: email } });
    const path = `/api/v1/org/papers/documents/${id}/file`;
    const headers = { ...screen.headers, 'content-type': 'application/pdf' };
    const uploaded = await fetch(app.url + path, { method: 'PUT', headers, body: new Uint8Array(pdf) });
    const file = (await uploaded.json()) as Uploaded;
    if (!uploaded.ok) return file.error.message;
    const download = async (from: string) => Buffer.from(await (await fetch(app.url + from, { headers: screen.headers })).arrayBuffer());
    const stored = await download(`${path}?format=pdf`);
    const placed = await screen.put(`${path}/fields`, { fields: fieldsOn(file) });
    if (placed.status !== 200) throw new Error(placed.text);
    const fields = placed.body.fields as (Place & { key: string })[];
    for (const action of ['submit', 'finalize', 'send']) {
      const moved = await workflow.org(id, action);
      if (moved.status !== 200) throw new Error(`${action}: ${moved.text}`);
    }
    const final = await download(`/api/v1/org/papers/documents/${id}/content?format=pdf`);
    await this.signing.delivered(email);
    const link = await this.signing.link(email);
    const signed = await this.signing.sign(link, Object.fromEntries(fields.map(({ key }) => [`fields.${key}`, VALUE])));
    if (signed.status !== 303) throw new Error(`sign: ${signed.status} ${signed.text}`.slice(0, 2000));
    const executed = Buffer.from(await (await fetch(`${app.url}${link}/pdf`)).arrayBuffer());
    return { stored, final, executed, places: fields, earlierSignatures: file.earlier_signatures };
  }
}
