import { expect, it } from '@jest/globals';
import { DeterministicProvider } from './deterministic-provider.js';

const provider = new DeterministicProvider();
const { signal } = new AbortController();
/** The titles of the clauses that are reported missing from a contract that contains the phrase. */
async function missingOf(phrase: string): Promise<string[]> {
  const text =
    `The Supplier shall deliver. The Customer shall pay. The parties shall cooperate. This Agreement binds both ` + `parties.\n\n${phrase}`;
  const { risks } = await provider.analyse('risks', text, { perspective: 'neutral', customFocus: null, signal });
  return risks.filter(({ quote }) => quote === null).map(({ title }) => title);
}

it.each([
  'German law applies, without the United Nations Convention on Contracts for the International Sale of Goods.',
  '9.1 German law applies.\n9.2 No oral agreements were made.',
  'Swiss substantive law shall apply exclusively.',
  'English law governs this contract.',
  'New York law controls.',
  'The law of the Republic of Austria applies.',
  'This contract is subject to Dutch law.',
  'This contract is subject to the law of Austria.',
  'The contract shall be interpreted in accordance with Irish law.',
  'It is governed exclusively by, and shall be construed in accordance with, the substantive law of Norway.',
  'It shall be governed by California law.',
  'Disputes are decided under the laws in force in Scotland.',
  'The applicable law is that of Denmark.',
  'Governing law: Portugal',
  '## Applicable law\n\nThat of the place where the Supplier has its seat.',
  '12. Law and jurisdiction. That of Ireland is agreed.',
  'Es gilt das Recht der Bundesrepublik Deutschland.',
  'Auf diesen Vertrag findet österreichisches Recht Anwendung.',
  'Der Vertrag unterliegt ausschließlich Schweizer Recht.',
  'Maßgeblich ist deutsches Recht.',
])('%j names the governing law', async (phrase) => {
  expect(await missingOf(phrase)).not.toContain('No governing law');
});

it.each([
  'Acme Ltd is a company organised under the laws of Ireland.',
  'Liability is unlimited where the law does not allow it to be limited.',
  'Mandatory law applies to consumers.',
  'Each party complies with data protection law.',
  'Deliveries are made unless applicable law forbids them.',
  'The parties shall obey the law.',
])('%j names none', async (phrase) => {
  expect(await missingOf(phrase)).toContain('No governing law');
});

it.each([
  'In all other cases a party is liable only for the breach of an essential obligation, and then for the damage ' +
    'that was foreseeable when this agreement was made, limited in total to the fee for the term.',
  '## 6. Liability\n\n- Each party is liable for damage it caused.\n- The sum due for all such claims taken ' +
    'together is at most the fee of twelve months.',
  '6. LIABILITY\n6.1 Each party answers for the damage it causes.\n6.2 Claims of all kinds together shall not exceed EUR 100,000.',
  'The Supplier shall in no case have to pay damages of more than the fee; the maximum is EUR 5,000.',
  'As far as the law allows, no contributor will be liable to anyone for any damages related to this software.',
  'IN NO EVENT SHALL YAHOO! INC. BE LIABLE FOR ANY DIRECT OR INDIRECT DAMAGES.',
  '16. IN NO EVENT UNLESS REQUIRED BY APPLICABLE LAW OR AGREED TO IN\nWRITING WILL ANY COPYRIGHT HOLDER, OR ANY ' +
    'OTHER PARTY WHO MAY MODIFY\nTHE LIBRARY, BE LIABLE TO YOU FOR DAMAGES.',
  '§ 4 Haftung\n(1) Jede Partei haftet für leichte Fahrlässigkeit nur bei wesentlichen Pflichten.\n(2) Ersetzt ' +
    'wird höchstens ein Betrag von 50.000 EUR.',
])('%j limits liability', async (phrase) => {
  expect(await missingOf(phrase)).not.toContain('No limit of liability');
});

it.each([
  '## 6. Liability\n\nEach party is liable for the damage it causes. Claims are made no later than three months ' +
    'after the damage, and at most twice.',
  'The Customer is liable for all losses, including but not limited to legal fees.',
  'Neither party is liable for failures that events outside its reasonable control have caused.',
  '## 3. Fees\n\nThe fee shall not exceed EUR 500.\n\n## 4. Damages\n\nThe party in breach pays damages.',
])('%j does not', async (phrase) => {
  expect(await missingOf(phrase)).toContain('No limit of liability');
});

it.each([
  '## Data protection\n\nThe annex applies.',
  'Each party processes data of the other as a data processing agreement says.',
  'Personally identifiable information is kept secret.',
  'Die DS-GVO ist zu beachten.',
])('%j mentions personal data', async (phrase) => {
  expect(await missingOf(phrase)).not.toContain('No data protection clause');
});
