import { SIGNATORY, SIGNATORY_FIELDS, type DemoDocumentType } from './demo-document-type.js';

const TEMPLATE = `# 売買契約書

契約番号 {{document.number}}

{{buyer_name}}(以下「買主」という。)と Osei & Lindqvist Trading GmbH(以下「売主」という。)は、次のとおり売買契約を締結する。

## 第1条 売買

売主は次の商品を買主に売り渡し、買主はこれを買い受ける。

{{#table goods}}

## 第2条 代金

代金は総額 {{sum goods.amount}}({{words sum goods.amount}})とし、買主は商品の引渡しから三十日以内に支払う。

## 第3条 引渡し

1. 売主は {{deliver_on}} までに、買主の住所({{buyer_address}})において商品を引き渡す。
2. 商品の所有権は、代金の完済の時に買主に移転する。

## 第4条 契約不適合

引き渡された商品が契約の内容に適合しないときは、買主は売主に修補、代替品の引渡し又は代金の減額を請求することができる。

## 第5条 協議

本契約に定めのない事項については、両当事者が誠実に協議して解決する。

締結日 {{signed_on company}}

{{#signature buyer company}}
`;

/** In Japanese: its characters, and an amount in words. */
export const JAPANESE_ORDER: DemoDocumentType = {
  type: {
    code: 'sales_contract_ja',
    name: '売買契約書',
    description: 'Sale of goods to a Japanese customer, in Japanese. Needs no approval; both parties sign.',
    language: 'ja',
    field_schema: {
      type: 'object',
      required: ['buyer_name', 'buyer_address', 'contact_name', 'contact_email', 'deliver_on', 'goods'],
      properties: {
        buyer_name: { type: 'string', minLength: 1, maxLength: 200, 'x-format': 'party', 'x-label': '買主', 'x-order': 10 },
        buyer_address: { type: 'string', minLength: 1, maxLength: 300, 'x-label': '住所', 'x-order': 11 },
        contact_name: { type: 'string', minLength: 1, maxLength: 200, 'x-label': '署名者', 'x-order': 12 },
        contact_email: { type: 'string', format: 'email', 'x-label': 'メール', 'x-order': 13 },
        deliver_on: { type: 'string', format: 'date', 'x-label': '引渡日', 'x-order': 20 },
        goods: {
          type: 'array',
          minItems: 1,
          maxItems: 100,
          'x-label': '商品',
          'x-order': 30,
          items: {
            type: 'object',
            required: ['item', 'quantity', 'amount'],
            properties: {
              item: { type: 'string', minLength: 1, maxLength: 200, 'x-label': '品名', 'x-order': 1 },
              quantity: { type: 'integer', minimum: 1, 'x-label': '数量', 'x-order': 2 },
              amount: {
                type: 'integer',
                minimum: 0,
                'x-format': 'money',
                'x-currency': 'JPY',
                'x-label': '金額',
                'x-order': 3,
                'x-total': true,
              },
            },
          },
        },
        ...SIGNATORY_FIELDS,
      },
    },
    numbering: { pattern: 'JP-{YYYY}-{SEQ:4}', reset: 'year', assign_at: 'create', gapless: false },
    signature_parties: [
      {
        key: 'buyer',
        label: '買主',
        order: 1,
        kind: 'external',
        name_from: 'contact_name',
        email_from: 'contact_email',
        required: true,
        auth: 'link',
      },
      {
        key: 'company',
        label: '売主',
        order: 2,
        kind: 'internal',
        name_from: 'our_signatory',
        email_from: 'our_signatory_email',
        required: true,
        auth: 'link',
      },
    ],
    signing_days: 30,
    template: TEMPLATE,
  },
  sample: {
    buyer_name: '星窯業株式会社',
    buyer_address: '京都市上京区西陣三丁目14番地',
    contact_name: '渡辺 雪',
    contact_email: 'yuki@hoshi-ceramics.example',
    deliver_on: '2027-02-15',
    goods: [
      { item: '屋外用食器セット', quantity: 240, amount: 1_680_000 },
      { item: '展示台', quantity: 6, amount: 210_000 },
    ],
    ...SIGNATORY,
  },
};
