import { describe, expect, test } from '@jest/globals';
import { Field } from '../../kit/index.js';
import { maskBody, maskError } from './mask-body.js';
import { MASK } from './mask-text.js';
import { growth, LINEAR } from '../../../test/harness/cpu-time.js';

class Person {
  @Field.string({
    description: 'Name.',
    example: 'Ada',
  })
  full_name: string;

  @Field.email({
    description: 'Mail.',
    example: 'ada@example.com',
  })
  contact: string;
}

class Body {
  @Field.string({
    description: 'Title.',
    example: 'Call',
  })
  title: string;

  @Field.uuid({
    description: 'Project.',
    example: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a60',
  })
  project_id: string;

  @Field.string({
    description: 'Passcode.',
    example: 'x',
  })
  passcode: string;

  @Field.integer({
    description: 'Amount.',
    example: 1,
  })
  amount: number;

  @Field.dateTime({
    description: 'Due.',
    example: '2026-11-21T09:30:00.000Z',
  })
  due_at: string;

  @Field.object(() => Person, {
    description: 'People.',
    example: undefined,
    list: { maxItems: 10 },
  })
  people: Person[];

  @Field.map({
    description: 'Values.',
    example: {},
  })
  data_values: Record<string, unknown>;

  @Field.string({
    description: 'Something shown once.',
    example: 'x',
  })
  shown_once: string;
}

describe('a kept body', () => {
  test('has no secrets, addresses, phone numbers and names, and nothing that the schema does not declare', () => {
    const body = {
      title: 'Call ada@example.com or +44 20 7946 0958 today',
      project_id: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a60',
      passcode: 'hunter2',
      amount: 12_000_000_000,
      due_at: '2026-11-21T09:30:00.000Z',
      people: [{ full_name: 'Ada Lovelace', contact: 'ada@example.com', extra: 'x' }],
      data_values: { customer_name: 'Ada', region: 'North', nested: [{ phone: '1', note: 'to bob@example.com' }], none: null },
      shown_once: 'secret',
      undeclared: { deep: 'value' },
    };
    expect(maskBody(body, Body, ['shown_once'])).toEqual({
      title: `Call ${MASK} or ${MASK} today`,
      project_id: body.project_id,
      passcode: MASK,
      amount: body.amount,
      due_at: body.due_at,
      people: [{ full_name: MASK, contact: MASK, extra: MASK }],
      data_values: { customer_name: MASK, region: 'North', nested: [{ phone: MASK, note: `to ${MASK}` }], none: null },
      shown_once: MASK,
      undeclared: MASK,
    });
  });

  test('of another shape than declared is masked as a whole', () => {
    expect(maskBody(['ada'], Body)).toBe(MASK);
    expect(maskBody({ people: 'ada', title: { a: 'x@example.com' } }, Body)).toEqual({ people: MASK, title: { a: MASK } });
    expect(maskBody({ amount: 'mail ada@example.com', due_at: { name: 'x' } }, Body)).toEqual({ amount: `mail ${MASK}`, due_at: MASK });
  });

  test.each([
    ['without an address', 'a', ''],
    ['of addresses', 'a@', ''],
    ['of digits', '1', 'a'],
    ['of digits and separators', '1-', ''],
    ['of digits and spaces', '1 ', ''],
    ['of digits, hyphens and spaces', '1- ', 'a'],
    ['of beginnings of tokens', 'eyJ-', ''],
    ['of credentials', 'Bearer ', ''],
    ['of accounts', 'DE89 ', ''],
    ['of assignments', 'token=', ''],
    ['of digits and commas', '12,', 'a'],
    ['of amounts', '1,234', ''],
    ['of hexadecimal digits', 'a0', 'x'],
    ['of names of secrets', 'pin is ', ''],
    ['of numbers in letters', '1-800-A', 'x'],
  ])('with a long text %s is masked in linear time', async (_, part, end) => {
    const bodyOf = (size: number) => ({ title: part.repeat(size) + end });
    expect(await growth(bodyOf, 16_000, (body) => maskBody(body, Body))).toBeLessThan(LINEAR);
  });

  test.each([
    ['our keys', 'Use svc_live_3kTq9wZbX1cV7nM5pR2sD8fG4hJ6yL0aQeUiOx now'],
    ['our keys, mistyped or truncated', 'Use svc_test_3kTq9wZbX1cV, svc_whsec_3v0Jm2o0b1cQy7l5u8hZ, SVC_LIVE_OLYBUMRICHSX1WTW'],
    [
      'tokens of GitHub and GitLab',
      'ghp_16C7e42F292c6912E7710c838347Ae178B4a github_pat_11ABCDEFG0a1b2c3d4e5f6 glpat-a1b2c3d4e5f6g7h8i9j0',
    ],
    ['tokens of Slack', `x${'oxb'}-123456789012-abcdefABCDEF https://hooks.slack.com/services/T00/B00/XXXX`],
    ['keys of Stripe', `sk_${'live'}_51HxyzABCDEFGH rk_test_51HxyzABCDEFGH whsec_abcdefgh1234`],
    ['keys of AWS', 'AKIAIOSFODNN7EXAMPLE wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY'],
    ['keys of Google', 'AIzaSyA-1234567890abcdefghijklmnopqrstu ya29.a0AfH6SMBx1234567890'],
    ['other keys', 'sk-proj-a1b2c3d4e5f6g7h8 SG.abcdefghijklmnop.qrstuvwxyz012345 npm_abcdefghijklmnopqrst0123456789abcdef'],
    ['JSON web tokens', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U'],
    ['credentials', 'Authorization: Bearer abc.def-123 and basic dXNlcjpwYXNz= too'],
    ['private keys', '-----BEGIN RSA PRIVATE KEY-----\nMIIEabc+/\n-----END RSA PRIVATE KEY----- and -----BEGIN PRIVATE KEY-----\nMII'],
    ['passwords', 'postgres://app:hunter2@db/x password=hunter2&x=1 {\\"api_key\\": \\"hunter2\\"} passcode: hunter2'],
    ['tokens of links', 'https://suite.example.com/s/Zx3kQ9wZbX1cV7nM5pR2sD8fG4hJ6yL0aQeUiOxPlK2'],
    ['e-mail addresses', 'ada@example.com <Bob.O+x@mail.example.co.uk> ?to=ada%40example.com'],
    ['accounts and cards', 'DE89 3704 0044 0532 0130 00, GB29NWBK60161331926819, 4242 4242 4242 4242'],
  ])('of %s has none of them, also in an error', (_, text) => {
    const pieces = text.match(/[\w+/=%@.:-]{8,}/g)!.filter((piece) => /\d|hunter2|@/.test(piece) && !piece.startsWith('https://suite'));
    for (const masked of [maskBody({ title: text, data_values: { note: [text] } }, Body), maskError({ error: { message: text } })]) {
      const shown = JSON.stringify(masked);
      expect(pieces.filter((piece) => shown.includes(piece))).toEqual([]);
      expect(shown).not.toMatch(/hunter2|MIIE|dXNlcj|T00|3704|4242|jVmNHl/);
      expect(shown).toContain(MASK);
    }
  });

  test.each([
    '+49 (0)30 / 90 18-20',
    '030/901820-0',
    '(030) 901820',
    '0171.123.45.67',
    '+1-202-555-0143',
    '555-0143',
    '00 49 171 1234567',
    '+44\u00a020\u00a07946\u00a00958',
    '\u202a+49 171 1234567\u202c',
    '0171\u20111234567',
    '\uff0b\uff18\uff11 \uff13-\uff15\uff12\uff17\uff17-\uff14\uff14\uff19\uff11',
    '+971 \u0665\u0660 \u0661\u0662\u0663 \u0664\u0665\u0666\u0667',
    'tel:+4930901820',
    '030,901820,01',
    '030, 901820, 01',
    '1,800,555-0199',
    '030\u2026901820',
  ])('has no phone number written as %s', (phone) => {
    const masked = maskBody({ title: `On 2026-11-21 call ${phone}, please`, data_values: { note: JSON.stringify({ to: phone }) } }, Body);
    const { title, data_values } = masked as { title: string; data_values: { note: string } };
    expect(title.replace(/[\u202a\u202c]/g, '').replace('tel:', '')).toMatch(/^On 2026-11-21 call [+(]?\[masked\], please$/);
    expect(data_values.note).not.toMatch(/\p{Nd}{2}/u);
  });

  test.each([
    '+1 415 555 2671x12',
    '1-800-555-0199ext4',
    'Mobil:0151-23456789x12',
    'phone0301234567',
    'TEL-0301234567',
    'phone-0301234567',
    'tel_0301234567',
    '00491511234567Tel',
    '\u96fb\u8a710312345678\u307e\u3067',
  ])('has no phone number that letters are attached to, as in %s', (phone) => {
    const { title } = maskBody({ title: `Call ${phone} today` }, Body) as { title: string };
    expect(title).toContain(MASK);
    expect(title).not.toMatch(/\d{3}/);
  });

  const HEX = '4bf92f3577b34da6a3ce929d0e0e4736';
  // joined, so that no scanner takes the example for a real token
  test.each([
    ['Docker', ['dckr', '_pat_abcdefghijklmnopqrstuvwxyz-']],
    ['Vault', ['hvs', '.abcdefghijklmnopqrstuvwx']],
    ['Vault, in a batch', ['hvb', '.abcdefghijklmnopqrstuvwx']],
    ['HubSpot', ['pat', '-na1-0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a60']],
    ['Square', ['sq0', 'atp-abcdefghijklmnopqrstuv']],
    ['a Square application', ['sq0', 'csp-abcdefghijklmnopqrstuv']],
    ['Square in production', ['EAAA', 'labcdefghijklmnopqrstuv']],
    ['Facebook', ['EAA', 'Babcdefghijklmnopqrstuv']],
    ['Notion', ['secret', '_abcdefghijklmnop1qrstuvwxyz']],
    ['a Notion integration', ['ntn', '_abcdefghijklmnopqrstuvwxyz']],
    ['Shopify', ['shp', `at_${HEX}`]],
    ['Twilio', ['SK', HEX]],
    ['DigitalOcean', ['dop', `_v1_${HEX}${HEX}`]],
    ['SendGrid', ['SG', '.abcdefghijklmnopqrstuv.abcdefghijklmnopqrstuvwxyzabcdefghijklmnopq']],
    ['an unknown maker, of 32 digits', [HEX]],
    ['an unknown maker, of 64 digits', [HEX, HEX]],
    ['an unknown maker, of few digits', ['deadbeefcafebabe', 'deadbeefcafebabe']],
    ['an unknown maker, of few digits in upper case', ['DEADBEEFCAFEFACE', 'FADEDBADFEEDBEE7']],
    ['Plaid', ['access', '-production-0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a60']],
  ])('has no token of %s', (_, parts) => {
    const token = parts.join('');
    expect(maskBody({ title: `Use ${token} now (${token})` }, Body)).toEqual({ title: `Use ${MASK} now (${MASK})` });
  });

  test.each([
    ['Supabase', 'sbp_', HEX + HEX.slice(0, 8)],
    ['age', 'AGE-SECRET-KEY-', '1QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7LQPZRY9X8GF2TVDW0S3JN54KHCE'],
    ['an unknown maker, in base 36', 'abc_', 'k3j9d0a8s7d6f5g4h3j2k1l0q9w8e7r6t5y4'],
    ['an account of Azure', 'AccountName=acc;AccountKey=', 'Ab3/+x9Zk0pQ/rS7tUvWxYz1234567890abcdefgh=='],
    ['an address that Azure signed', 'https://a.example/c?sv=2020&sig=', 'Ab3%2Fx9Zk0pQ%3D'],
    ['a password', 'The password is ', 'Hunter22!'],
    ['a password in German', 'Das Passwort lautet ', 'Hunter22!'],
    ['a PIN', 'My PIN is ', '4711'],
    ['a PIN after a colon', 'PIN: ', '4711'],
    ['a number in letters', 'call ', '1-800-FLOWERS'],
    ['a number in letters, of Germany', 'call ', '0800 KONTAKT'],
  ])('has no secret of %s, whose beginning stays', (_, beginning, secret) => {
    expect(maskBody({ title: `${beginning}${secret} ok` }, Body)).toEqual({ title: `${beginning}${MASK} ok` });
  });

  test('has no secrets in names that the schema does not know', () => {
    const key = 'svc_live_3kTq9wZbX1cV7nM5pR2sD8fG4hJ6yL0aQeUiOx';
    expect(maskBody({ title: 'x', titel: 'x', [key]: 1, 'Tel 0170 1234567': 'y', people: [{ 'ada@example.com': true }] }, Body)).toEqual({
      title: 'x',
      titel: MASK,
      [MASK]: MASK,
      [`Tel ${MASK}`]: MASK,
      people: [{ [MASK]: MASK }],
    });
  });

  test.each([
    'password is too short',
    'The password is required.',
    'Password is incorrect, try again',
    'is the passphrase is wrong?',
    'Das Passwort ist zu kurz',
    'password is not set',
    'PIN is missing',
  ])('keeps what an error says of a secret: %s', (title) => {
    expect(maskBody({ title }, Body)).toEqual({ title });
  });

  test.each(['toothbrush', 'wrong.horse', 'invalid-9', 'notMine'])('has no password that begins like an error: %s', (password) => {
    expect(maskBody({ title: `password is ${password}` }, Body)).toEqual({ title: `password is ${MASK}` });
  });

  test('keeps what only looks like a number or secret', () => {
    const title =
      '2026-11-21T09:30:00.000Z, 2026-11-21 09:30, 20261121T093000Z, 15,2026-11-21, ' +
      '12 0198c5a0-7123-7123-9123-3f4b8f1d2a60, ' +
      '28.11.2026, 0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a60, 192.168.100.20, TEST-ENG-7, ' +
      '1,234,567.89 EUR, 12.345,67 EUR, 12345,67, 1,2,3,4,5,6,7,8, 10.0.0.1,10.0.0.2, ' +
      '800 EUR, pin board, antidisestablishmentarianism2026conference, 01ARZ3NDEKTSV4RRFFQ69G5FAV, ' +
      '12.50, INV-2026-00017, req_8f1c2d3e4b5a49768c0d1e2f3a4b5c6d, Basic settings, https://suite.example.com/docs/errors#duplicate';
    expect(maskBody({ title }, Body)).toEqual({ title });
  });

  test('has no phone numbers in values and names without a schema', () => {
    const data_values = { 'ada@example.com': 1, phoneNumber: '1', 'api-key': 'x', contact: 4_917_112_345, total: 12_000 };
    expect(maskBody({ data_values }, Body)).toEqual({
      data_values: { [MASK]: 1, phoneNumber: MASK, 'api-key': MASK, contact: MASK, total: 12_000 },
    });
  });

  test('that is an error keeps its code, and quotes nobody', () => {
    const detail = { code: 'duplicate', param: 'email', message: 'ada@example.com exists' };
    const error = { ...detail, request_id: 'req_1', details: [detail] };
    const masked = { ...detail, message: `${MASK} exists` };
    expect(maskError({ error })).toEqual({ error: { ...error, ...masked, details: [masked] } });
  });

  test('with any names of members stays an object of its own', () => {
    const body = JSON.parse('{"data_values": {"__proto__": {"name": "x"}}}') as object;
    expect(JSON.stringify(maskBody(body, Body))).toBe(`{"data_values":{"__proto__":{"name":"${MASK}"}}}`);
  });
});
