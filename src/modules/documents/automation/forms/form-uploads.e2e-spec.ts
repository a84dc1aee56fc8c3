import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { PDFDocument } from '@cantoo/pdf-lib';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { sharedApp } from '../../../../../test/harness/hosted-app.js';
import { Client, type ApiResponse } from '../../../../../test/harness/client.js';
import { WorkflowFixture } from '../../testing/workflow-fixture.js';

const FORMS = '/api/v1/org/papers/forms';
const MIB = 1024 * 1024;
const TYPE_FIELDS = {
  type: 'object',
  properties: {
    company: { type: 'string' },
    fee: { type: 'integer', 'x-format': 'money', 'x-currency': 'EUR' },
    starts_on: { type: 'string', format: 'date' },
    agreed: { type: 'boolean' },
    internal: { type: 'string' },
    items: { type: 'array', items: { type: 'object', properties: { name: { type: 'string' }, qty: { type: 'number' } } } },
  },
};
const FORM_FIELDS = {
  type: 'object',
  required: ['company', 'email'],
  properties: {
    company: { type: 'string', 'x-label': 'Company' },
    email: { type: 'string', format: 'email', 'x-label': 'E-mail' },
    fee: { type: 'integer', 'x-format': 'money', 'x-currency': 'EUR', 'x-label': 'Fee' },
    starts_on: { type: 'string', format: 'date', 'x-label': 'Start' },
    agreed: { type: 'boolean', 'x-label': 'I agree' },
    items: { ...TYPE_FIELDS.properties.items, maxItems: 2, 'x-label': 'Item' },
  },
};
/** A zone around text at this height of a page of 600 x 800 points. */
const at = (field: string, y: number, given: object = {}) => ({
  page: 1,
  x: 0.08,
  y: (800 - y - 16) / 800,
  w: 0.4,
  h: 20 / 800,
  field,
  kind: 'text',
  ...given,
});
const ZONES = [
  at('company', 700, { anchor_text: 'Company:' }),
  at('fee', 660, { kind: 'number' }),
  at('starts_on', 620, { kind: 'date' }),
  at('agreed', 580, { kind: 'checkbox' }),
  at('internal', 540),
  at('items.name', 0, { y: 0.475, h: 0.1, w: 0.2 }),
  at('items.qty', 0, { y: 0.475, h: 0.1, x: 0.45, w: 0.2, kind: 'number' }),
];

async function filledIn({ fee = '12.500,50 EUR', rows = [['Chairs', '4']], blank = false } = {}): Promise<Buffer> {
  const pdf = await PDFDocument.create();
  const page = pdf.addPage([600, 800]);
  const print = (text: string, y: number, x = 60) => !blank && page.drawText(text, { x, y, size: 12 });
  print('Company: Acme & Söhne', 700);
  print(fee, 660);
  print('1 March 2026', 620);
  print('x', 580);
  print('secret', 540);
  for (const [index, [name, quantity]] of rows.entries()) {
    print(name, 400 - 20 * index);
    print(quantity, 400 - 20 * index, 300);
  }
  return Buffer.from(await pdf.save());
}

const app = await sharedApp();
let workflow: WorkflowFixture;
let visitor: Client;
let typeId: string;

beforeAll(async () => {
  workflow = await WorkflowFixture.open(app);
  visitor = new Client(app.url, { accept: 'text/html' });
  typeId = (await workflow.type({ field_schema: TYPE_FIELDS as never })).id;
  const { status, text } = await workflow.screen.put(`/api/v1/org/papers/types/${typeId}/zones`, ZONES);
  if (status !== 200) throw new Error(text);
});

const create = (over: object = {}): Promise<ApiResponse> =>
  workflow.screen.post(FORMS, {
    slug: `form-${randomUUID().slice(0, 8)}`,
    title: 'Order',
    fields: FORM_FIELDS,
    project_id: workflow.space.eng.id,
    document_type_id: typeId,
    ...over,
  });

interface Answer {
  status: number;
  text: string;
  headers: Headers;
}

/** Sends the form as a browser does when the button of the file is pressed. */
async function upload(slug: string, file: Buffer | null, fields: Record<string, string> = {}): Promise<Answer> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('file', new Blob(file === null ? [] : [new Uint8Array(file)], { type: 'application/pdf' }), file === null ? '' : 'order.pdf');
  const response = await fetch(`${app.url}/f/${slug}/file`, { method: 'POST', body: form, headers: { accept: 'text/html' } });
  return { status: response.status, text: await response.text(), headers: response.headers };
}
const problems = (text: string) => [...text.matchAll(/<li>(?:<a [^>]*>)?([^<]+)/g)].map(([, problem]) => problem);
/** The values that the page's fields have, by name. */
function values(text: string): Record<string, string> {
  const inputs = [...text.replace(/<template>[\s\S]*?<\/template>/g, '').matchAll(/<input ([^>]*)name="answers\.([^"]+)"([^>]*)>/g)];
  return Object.fromEntries(
    inputs.map(([, before, name, after]) => {
      const [, value = ''] = /value="([^"]*)"/.exec(before + after) ?? [];
      return [name, before.includes('type="checkbox"') && !/ checked/.test(after) ? '' : value.replace('&amp;', '&')];
    }),
  );
}

describe('a filled-in PDF', () => {
  it('fills in the fields of the same names, which the visitor checks and sends', async () => {
    const { id, slug, document_type_id } = (await create()).body;
    expect(document_type_id).toBe(typeId);
    expect((await visitor.get(`/f/${slug}`)).text).toContain(`formaction="/f/${slug}/file" formenctype="multipart/form-data"`);
    const token = randomUUID();
    const typed = { token, 'answers.email': 'ada@acme.example', 'answers.company': 'Old', 'answers.items.1.name': 'Old', website: '' };
    const { status, text, headers } = await upload(slug, await filledIn(), typed);
    expect([status, problems(text)]).toEqual([200, []]);
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'self' 'nonce-[^']+'; font-src 'self'; script-src 'nonce-[^']+'; form-action 'self'/,
    );
    expect(text).toContain('5 fields were filled in from the file.');
    expect(text).not.toContain('secret');
    const shown = values(text);
    expect(shown).toEqual({
      company: 'Acme & Söhne',
      email: 'ada@acme.example',
      fee: '12500.50',
      starts_on: '2026-03-01',
      agreed: 'yes',
      'items.0.name': 'Chairs',
      'items.0.qty': '4',
      'items.1.name': '',
      'items.1.qty': '',
    });
    expect((await workflow.screen.get(`${FORMS}/${id}/submissions`)).body.data).toEqual([]);
    const answers = Object.fromEntries(Object.entries(shown).map(([name, value]) => [`answers.${name}`, value]));
    const sent = await visitor.post(`/f/${slug}`, new URLSearchParams({ ...answers, token, file: '' }).toString(), {
      'content-type': 'application/x-www-form-urlencoded',
    });
    expect(sent.status).toBe(303);
    expect((await workflow.screen.get(`${FORMS}/${id}/submissions`)).body.data[0].answers).toEqual({
      company: 'Acme & Söhne',
      email: 'ada@acme.example',
      fee: 1_250_050,
      starts_on: '2026-03-01',
      agreed: true,
      items: [{ name: 'Chairs', qty: 4 }],
    });
  });

  it('of which something cannot be read names the field, and says which rows were left out', async () => {
    const { slug } = (await create()).body;
    const rows = [
      ['Chairs', '4'],
      ['Tables', 'two'],
      ['Lamps', '1'],
    ];
    const { status, text } = await upload(slug, await filledIn({ fee: 'twelve', rows }));
    expect(status).toBe(200);
    expect(problems(text)).toEqual([
      'Fee could not be read from the file: is not an amount.',
      'Item could not be read from the file: row 2 is not a number.',
      'Item: the file has 3 rows, and this form takes 2. The others were left out.',
    ]);
    expect(text).toContain('<a href="#f-fee">');
    expect(values(text)).toMatchObject({ company: 'Acme & Söhne', fee: '', 'items.1.name': 'Tables', 'items.1.qty': '' });
  });

  it('that is none, has no text or was not chosen is explained at the file, and the page keeps the input', async () => {
    const { slug } = (await create()).body;
    const typed = { 'answers.company': 'Typed "here"' };
    for (const [file, problem] of [
      [null, 'choose a file first.'],
      [Buffer.from('PK\u0003\u0004 a document of a word processor'), 'the file is not a PDF.'],
      [Buffer.from('%PDF-1.7 nothing else'), 'the file is not a PDF that can be read.'],
      [
        await filledIn({ blank: true }),
        'the file has no text where the values should be; a scanned page cannot be read. Please fill in the fields below.',
      ],
    ] as const) {
      const { status, text } = await upload(slug, file, typed);
      expect([status, problems(text)]).toEqual([400, [`Filled-in PDF: ${problem}`]]);
      expect(text).toContain('<a href="#upload">');
      expect(text).toMatch(/id="upload"[^>]* aria-describedby="upload-hint upload-error" aria-invalid="true"/);
      expect(text).toContain('value="Typed &quot;here&quot;"');
    }
  });

  it('that is too large is explained on the page; a body beyond all bounds is not read', async () => {
    const { slug } = (await create()).body;
    for (const bytes of [10 * MIB + 1, 20 * MIB]) {
      const { status, text } = await upload(slug, Buffer.alloc(bytes, '%PDF-'));
      expect([status, problems(text)]).toEqual([413, ['Filled-in PDF: the file is larger than 10 MiB.']]);
    }
    const type = 'multipart/form-data; boundary=b';
    const sent = request(`${app.url}/f/${slug}/file`, {
      method: 'POST',
      headers: { accept: 'text/html', 'content-type': type, 'content-length': 65 * MIB },
    }).on('error', () => undefined);
    sent.flushHeaders();
    const [{ statusCode, headers }] = (await once(sent, 'response')) as [IncomingMessage];
    sent.destroy();
    expect([statusCode, headers['content-type'], headers.connection]).toEqual([413, 'text/html; charset=utf-8', 'close']);
  });

  it('that was chosen but not read is not lost in silence', async () => {
    const { id, slug } = (await create()).body;
    const answers = { 'answers.company': 'Acme', 'answers.email': 'ada@acme.example', file: 'order.pdf' };
    const { status, text } = await visitor.post(`/f/${slug}`, new URLSearchParams(answers).toString(), {
      'content-type': 'application/x-www-form-urlencoded',
    });
    expect([status, problems(text)]).toEqual([
      400,
      ['Filled-in PDF: order.pdf has not been read. Choose it again and press “Fill in from the file”, or send without it.'],
    ]);
    expect((await workflow.screen.get(`${FORMS}/${id}/submissions`)).body.data).toEqual([]);
  });

  it('beyond ten from one address to one form in ten minutes is rejected with a page', async () => {
    const [{ slug }, { slug: other }] = [(await create()).body, (await create()).body];
    for (let count = 0; count < 10; count++) expect((await upload(slug, null)).status).toBe(400);
    // the same path, written differently
    const { status, text, headers } = await upload(slug.replace('form', 'f%6frm'), null);
    expect([status, headers.get('content-type')]).toEqual([429, 'text/html; charset=utf-8']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(text).toContain('Too many requests');
    expect((await upload(other, null)).status).toBe(400);
  });

  it('sent to several forms at once is read or answered with 503, and members can still have files read', async () => {
    const slugs = await Promise.all(Array.from({ length: 3 }, async () => (await create()).body.slug));
    const file = await filledIn();
    const sent = Promise.all(slugs.flatMap((slug) => Array.from({ length: 8 }, () => upload(slug, file))));
    const member = await workflow.screen.post(`/api/v1/org/papers/types/${typeId}/zones/extract`, file as never, {
      'content-type': 'application/pdf',
    });
    expect(member.body.data_values).toMatchObject({ company: 'Acme & Söhne' });
    const answers = await sent;
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 503]));
    for (const { status, headers } of answers) {
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
      if (status === 503) expect(headers.get('retry-after')).toBe('10');
    }
  });

  it('in a malformed body is rejected with a page', async () => {
    const { slug } = (await create()).body;
    const type = 'multipart/form-data; boundary=b';
    for (const body of ['', 'b', '--b', '--b\r\n', '--b\r\nX: y\r\n\r\n\r\n--b--', `--b\r\n${'x'.repeat(5000)}\r\n\r\n\r\n--b--`]) {
      const { status, headers } = await visitor.post(`/f/${slug}/file`, body, { 'content-type': type });
      expect([body.slice(0, 20), status, headers['content-type']]).toEqual([body.slice(0, 20), 400, 'text/html; charset=utf-8']);
    }
  });
});

describe('the upload of a form', () => {
  it('is offered only with a document type, and its address leads back to the form', async () => {
    const { id, slug } = (await create({ document_type_id: null })).body;
    expect((await visitor.get(`/f/${slug}`)).text).not.toContain('type="file"');
    expect((await upload(slug, await filledIn())).status).toBe(404);
    expect((await workflow.screen.patch(`${FORMS}/${id}`, { document_type_id: typeId })).body.document_type_id).toBe(typeId);
    expect((await visitor.get(`/f/${slug}`)).text).toContain('type="file"');
    const { status, headers } = await visitor.get(`/f/${slug}/file`);
    expect([status, headers.location]).toEqual([303, `/f/${slug}`]);
  });

  it('needs a type of this organization with zones for its fields', async () => {
    const bare = await workflow.type({ field_schema: TYPE_FIELDS as never });
    const foreign = await (await WorkflowFixture.open(app)).type({});
    const other = { type: 'object', properties: { town: { type: 'string' } } };
    for (const [over, message] of [
      [{ document_type_id: bare.id }, 'is a type without zones'],
      [{ document_type_id: foreign.id }, 'does not exist'],
      [{ fields: other }, "have none of the form's fields"],
    ] as const) {
      const { status, body } = await create(over);
      expect([status, body.error]).toMatchObject([400, { param: 'document_type_id', message: expect.stringContaining(message) }]);
    }
    const { id } = (await create()).body;
    const { body } = await workflow.screen.patch(`${FORMS}/${id}`, { fields: other });
    expect(body.error).toMatchObject({ code: 'validation_failed', param: 'document_type_id' });
  });
});
