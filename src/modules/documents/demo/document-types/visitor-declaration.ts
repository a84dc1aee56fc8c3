import type { DemoDocumentType } from './demo-document-type.js';

const LINES = [
  'Visitor declaration',
  'Osei & Lindqvist Trading GmbH, Lagerstrasse 12, 10999 Berlin',
  '',
  'I visit the warehouse on the day stated below and have read the safety rules:',
  '1. I wear a safety vest and closed shoes, and stay on the marked paths.',
  '2. I take no pictures of goods, screens or persons without asking.',
  '3. I tell my host at once about accidents and damage.',
  '4. In an emergency I follow the green signs to the meeting point.',
  '',
  'Name of the company:',
  '',
  'Date and signature:',
];

const PLAN_LINES = [
  'Emergency plan',
  'Osei & Lindqvist Trading GmbH, Lagerstrasse 12, 10999 Berlin',
  '',
  'Fire: press the nearest red button, leave by the green signs, and do not use the lift.',
  'Injury: call 112, then the first-aider at extension 20.',
  'The meeting point is the parking area in front of gate 3.',
  '',
  'Read by (initials):',
];

export function declarationPdf(): TextFile {
  return textFile(LINES);
}

/** Signed with the declaration. */
export function planPdf(): TextFile {
  return textFile(PLAN_LINES);
}

interface TextFile {
  pdf: Buffer;
  lines: string[];
}

/** A PDF with one page of text. It is made by hand, because a library would slow the demo's start down. */
function textFile(given: readonly string[]): TextFile {
  const size = (index: number) => (index === 0 ? 20 : 11);
  const text = given.map((line, index) => `BT /F1 ${size(index)} Tf 60 ${760 - index * 28} Td (${line.replace(/[()\\]/g, '\\$&')}) Tj ET`);
  const stream = text.join('\n');
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R /Lang (en) >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 5 0 R >> >> /Contents 4 0 R >>',
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
  ];
  let file = '%PDF-1.7\n';
  const offsets = objects.map((object, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const xref = file.length;
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}`;
  file += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${xref}\n%%EOF\n`;
  return { pdf: Buffer.from(file, 'latin1'), lines: given.filter((line) => line !== '') };
}

/** What the visitor fills in on it. */
export const DECLARATION_FIELDS = [
  {
    key: 'company',
    party: 'visitor',
    kind: 'text',
    label: 'Name of your company',
    required: true,
    page: 1,
    x: 0.35,
    y: 0.387,
    w: 0.5,
    h: 0.025,
  },
  { key: 'day', party: 'visitor', kind: 'date', label: null, required: true, page: 1, x: 0.35, y: 0.453, w: 0.18, h: 0.025 },
  { key: 'signature', party: 'visitor', kind: 'signature', label: null, required: true, page: 1, x: 0.55, y: 0.44, w: 0.35, h: 0.045 },
] as const;

export const PLAN_FIELDS = [
  { key: 'read', party: 'visitor', kind: 'initials', label: null, required: true, page: 1, x: 0.35, y: 0.32, w: 0.12, h: 0.03 },
] as const;

/** Its documents are an existing PDF; the type says who signs. */
export const VISITOR_DECLARATION: DemoDocumentType = {
  type: {
    code: 'visitor_declaration',
    name: 'Visitor declaration',
    description: 'An existing PDF with fields for the visitor, who fills them in when signing.',
    field_schema: {
      type: 'object',
      required: ['visitor_name', 'visitor_email'],
      properties: {
        visitor_name: { type: 'string', minLength: 1, maxLength: 200, 'x-label': 'Visitor', 'x-order': 10 },
        visitor_email: { type: 'string', format: 'email', 'x-label': 'Their e-mail', 'x-order': 11 },
      },
    },
    signature_parties: [
      {
        key: 'visitor',
        label: 'Visitor',
        order: 1,
        kind: 'external',
        name_from: 'visitor_name',
        email_from: 'visitor_email',
        required: true,
        auth: 'link',
        may_delegate: false,
      },
    ],
    signing_days: 14,
    template: null,
  },
  sample: { visitor_name: 'Yuki Watanabe', visitor_email: 'yuki@hoshi-ceramics.example' },
};
