import type { Type } from '@nestjs/common';
import { fieldsOf, html, type DocumentationPage, type DocumentedModule, type Html } from '../../../kit/index.js';
import { PlacedFieldDto, PlacedOptionDto, PlacedValueDto } from '../workflow/files/placed-fields.dto.js';
import { OVERRIDE_TARGETS, STATE_MOVES } from '../model/core/document-states.js';
import { ApprovalStepDto, ApproverDto, FieldConditionDto } from '../model/types/approval-route.dto.js';
import { LayoutDto } from '../model/types/layout.dto.js';
import { LifecycleStageDto, LifecycleTransitionDto } from '../model/types/lifecycle.dto.js';
import { NumberingDto } from '../model/types/numbering.dto.js';
import { ObligationRuleDto } from '../model/types/obligation-rule.dto.js';
import { SignaturePartyDto } from '../model/types/signature-party.dto.js';
import { TypeDefinitionDto } from '../model/types/type-definition.dto.js';
import { PRINTED_LANGUAGES } from '../engine/content/printed-words.js';
import { EXPRESSIONS, FIELD_KEYWORDS, FORMATS, TOKENS } from './template-language.js';
import type { TypeExample } from './type-example.js';
import { TYPE_EXAMPLES } from './type-examples.js';

/** How to write a document type. The tables of members are generated from the DTOs, the state table from the one that the service uses. */
export const DOCUMENT_TYPES_PAGE: DocumentationPage = { slug: 'document-types', title: 'Document types', body };

const SECTIONS: readonly (readonly [id: string, title: string, content: (modules: readonly DocumentedModule[]) => Html])[] = [
  ['start', 'From a type to a document', start],
  ['definition', 'The members of a type', () => memberTable(TypeDefinitionDto)],
  ['fields', 'Fields', fieldSchema],
  ['template', 'The template', template],
  ['expressions', 'Expressions', expressions],
  ['layout', 'The pages', layout],
  ['numbers', 'Numbers', () => memberTable(NumberingDto)],
  ['states', 'States', states],
  ['lifecycle', 'Custom stages', lifecycle],
  ['approval', 'Approval routes', approval],
  ['parties', 'Parties that sign', parties],
  ['files', 'PDFs', files],
  ['obligations', 'Obligations', obligations],
  ['examples', 'Examples', () => html`${TYPE_EXAMPLES.map(example)}`],
];

function body(modules: readonly DocumentedModule[]): Html {
  return html`<p>A document type says which values its documents have, how they are printed, who approves and who signs them. Members with
the permission <code>papers.setup.manage</code> write types with the
<a href="/docs/api/papers/for-members/types">operations of members</a>.</p>
<ul class="contents">${SECTIONS.map(([id, title]) => html`<li><a href="#${id}">${title}</a></li>`)}</ul>
${SECTIONS.map(([id, title, content]) => html`<h2 id="${id}">${title}</h2>\n${content(modules)}\n`)}`;
}

function start(): Html {
  return html`<ol>
<li><code>POST /api/v1/org/papers/types</code> creates the draft of a type. A contradiction between its parts is refused, and so is
what cannot be printed; the answer names each member, and for a template the line and column.</li>
<li><code>POST /api/v1/org/papers/types/{id}/publish</code> makes the draft the next version. Versions never change, and a document keeps
the version that it was created with.</li>
<li><code>POST /api/v1/ext/papers/documents</code> creates a document from <code>type_code</code>, <code>title</code> and
<code>data_values</code>. Values may be incomplete; <code>missing_required_fields</code> lists what is left.</li>
<li><code>POST .../documents/{id}/submit</code> checks that it is complete and asks the approvers, if the type has any.</li>
<li>Finalizing freezes the text and its PDF. Sending asks the parties to sign.</li>
</ol>`;
}

function fieldSchema(): Html {
  return html`<p><code>field_schema</code> is a JSON Schema 2020-12 of <code>data_values</code>, limited to what forms and templates can
show: one object whose properties are scalars (<code>string</code>, <code>number</code>, <code>integer</code>, <code>boolean</code>), or
tables: arrays of flat objects. The usual keywords apply: <code>required</code>, <code>enum</code>, <code>const</code>,
<code>minLength</code>, <code>maxLength</code>, <code>pattern</code>, <code>format</code>, <code>minimum</code>, <code>maximum</code>,
<code>multipleOf</code>, <code>minItems</code>, <code>maxItems</code>, <code>default</code>. Others are refused.</p>
${table(['Keyword', 'Value'], FIELD_KEYWORDS)}
<p><code>x-format</code> is one of:</p>
${table(['x-format', 'Type', 'Meaning'], FORMATS)}`;
}

function template(modules: readonly DocumentedModule[]): Html {
  return html`<p>A template is Markdown: headings, paragraphs, emphasis, lists, quotes, links and tables. Images, code and HTML are
refused when the type is published, not printed as they are written. Without a template, a document is a plain list of its values.</p>
<p>Tokens in double braces are replaced. A value is always text and never markup. Texts in quotes within tokens can contain
<code>|</code>, also in tables.</p>
${table(['Token', 'Prints'], [...TOKENS, ...tokensOf(modules)])}
<p>Tokens of modules begin with the name of the module. They are texts, numbers, days or booleans, which expressions and sections can name.
They are read when the document is created or edited, and are in its <code>token_values</code>; a later change of their source does not
change the document.</p>
<p>Tokens for tables, columns, page breaks, codes, signatures and the logo need a line of their own between blank lines. A value that is
missing prints a line to fill in while the document is a draft, and a dash in the finished one.</p>
<p>A field that a party fills in has a unique <code>key</code>, a <code>party</code> and a <code>label</code>, and any of the rules
<code>kind</code>, <code>required</code>, <code>optional</code>, <code>read_only</code>, <code>hint</code>, <code>default</code>,
<code>pattern</code>, <code>min</code>, <code>max</code>, <code>max_length</code>, <code>decimals</code>, <code>options</code>,
<code>calculated</code> and <code>shown_when</code> of <a href="#files">fields on uploaded PDFs</a>. It stands within a line, not in a
repeated section. In a section that is not printed, it is not asked for, and what is calculated from it has no value.</p>
<p>The <code>language</code> of the type decides how numbers, amounts and days are printed, and in which language the pages and mails for
approvers and signers are: English, German, French or Spanish, and English for all others. An amount is printed with its currency, as in
<code>EUR 12,500.00</code>, or its symbol if the layout says so; a currency that all amounts of a column have stands in the head of the
column. Numbers of a column are aligned at the decimal point. A day is printed with the month in words, as in <code>March 31, 2027</code>.
<code>{{words ...}}</code> can be used in the same languages as yes and no, and names the currency in them. Yes and
no, the label of totals and the mark of a draft are printed in ${languageNames()}; in English for all others.</p>`;
}

function tokensOf(modules: readonly DocumentedModule[]): [token: string, prints: string][] {
  return modules.flatMap(({ name, title, documentTokens }) =>
    Object.entries(documentTokens?.names ?? {}).map(([token, { type, description }]): [string, string] => [
      `{{${name}.${token}}}`,
      `${description} (${title}, ${type})`,
    ]),
  );
}

function layout(): Html {
  return html`<p><code>layout</code> sets the pages of the PDF. The view in browsers has the same text, without headers and footers.</p>
${memberTable(LayoutDto)}`;
}

function expressions(): Html {
  return html`<p>Expressions are written in <code>x-calculated</code>, in tokens and in the conditions of sections. They are checked when
the type is saved: an unknown field, a text in a calculation and amounts in different currencies are refused with their place.</p>
${table(
  ['Part', 'Meaning', 'Example', 'Result'],
  EXPRESSIONS.map(({ part, meaning, example, result }) => [part, meaning, example, result]),
)}
<p>The results are for a <code>price</code> of 1000. An amount keeps its currency: amounts in one currency can be added and compared, and an
amount divided by another is a number. An amount times a number is an amount, in minor units. A whole number that is written beside an
amount is one of minor units, too. Amounts and fields of the type integer are rounded half away from zero when they are stored or printed;
use <code>round</code> to round before that.</p>
<p>A calculation with a missing value has no value, and neither has a division by zero. Aggregates skip missing values. A missing value is
unequal to everything, and neither less nor greater. An expression has up to 1,000 characters, and a document up to 150,000 steps of
calculation.</p>
<p>A field with <code>x-calculated</code> is stored with the other values, so it is in responses, events and reports, and conditions of
approval routes can name it. It is calculated whenever values are sent. Leave it out: a value that differs is refused with the calculated
one. It cannot be required, and intake forms do not have such fields.</p>`;
}

function states(): Html {
  const who = { api: 'a key or a member', screen: 'a member', party: 'a party', system: 'the suite' } as const;
  const rows = STATE_MOVES.map(({ trigger, from, to, by, approvalRequired, events }) => [
    trigger,
    from.join(', '),
    to,
    who[by],
    approvalRequired === undefined ? 'all' : approvalRequired ? 'with approval' : 'without approval',
    ['state_changed', ...events.map((event) => event.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))].join(', '),
  ]);
  return html`<p>Every document has one of thirteen states. These are all moves between them; <code>allowed_actions</code> of a document
lists those that are possible now. A document that was signed by all is final: it can only be superseded or revoked.</p>
${table(['Trigger', 'From', 'To', 'By', 'Types', 'Events paper.*'], rows)}
<p>Members with the permission for it can override the state of a document that was never signed by all, with a reason, to
${OVERRIDE_TARGETS.join(', ')}.</p>`;
}

function lifecycle(): Html {
  return html`<p>A type can define stages: its own names for the states, where a state can have several. Rules and events depend on the
state; people see the stage. Its transitions must be moves of the table above, and <code>lifecycle_action</code> names one. Stages are
needed for the states that a document of the type can reach: draft and finalized; in_approval and approved if it requires approval; sent,
partially_signed, executed, declined and expired if parties sign it.</p>
<h3>Stages</h3>${memberTable(LifecycleStageDto)}<h3>Transitions</h3>${memberTable(LifecycleTransitionDto)}`;
}

function approval(): Html {
  return html`<p>With <code>requires_approval</code>, the steps of <code>approval_route</code> decide one after the other. A step whose
condition does not hold is skipped. If no step is left, or a role is empty, every member who may approve documents can decide: a
document is never approved for lack of approvers. A returned document starts again at the first step. Each approver is mailed a link to
a page with the document and the decision.</p>
<h3>Steps</h3>${memberTable(ApprovalStepDto)}<h3>Approvers</h3>${memberTable(ApproverDto)}
<h3>Conditions</h3>${memberTable(FieldConditionDto)}`;
}

function parties(): Html {
  return html`<p>When the document is sent, each party gets a link by mail, in the signing order. The last signature seals the PDF and
appends the certificate of signatures. Whoever is asked to sign can decline, or pass the document on if the type allows it; members can
change a party that has not signed.</p>
<p>If another person signs, the text stays as it was finalized, so it may still name the person before. The signing page says so, and the
executed PDF names both above the signature and in the certificate, with the time of the change and who made it. To have the new name in
the text as well, revoke the document and create it again with other values. A revocation is mailed to everyone who was ever asked to sign,
and to those who approved.</p>
${memberTable(SignaturePartyDto)}`;
}

function files(): Html {
  return html`<p>A document can consist of a PDF, in place of the template. <code>POST /api/v1/ext/papers/documents</code> takes one as
<code>file_url</code>, as <code>file_base64</code>, or as the field <code>file</code> of a form;
<code>PUT /api/v1/ext/papers/documents/{id}/file</code> takes one in the same ways, or as its body, while the document is a draft.
Addresses are downloaded under the rules for webhooks: public https addresses, at most three redirects, 20 seconds and 10 MiB. The sealed
PDF begins with the file, byte for byte. <code>GET .../file?format=pdf</code> returns it as it was uploaded.</p>
<p><code>PUT .../file/fields</code> places what the parties fill in. A field says where it stands in one of three ways:</p>
<ul>
<li>by <code>page</code>, <code>x</code>, <code>y</code>, <code>w</code> and <code>h</code>, as fractions of the page as it is shown;</li>
<li>by <code>anchor</code>, <code>w</code> and <code>h</code>: its top left corner is that of a text in the file, moved by <code>dx</code>
and <code>dy</code>. If the text stands in several places, <code>occurrence</code> or <code>page</code> selects one;</li>
<li>by <code>form_field</code>: it takes the place of a form field, and its kind, label, options and value unless they are given.</li>
</ul>
<p>The party enters a <code>text</code>, <code>number</code>, <code>email</code>, <code>entered_date</code> (a day), <code>checkbox</code>,
<code>choice</code> (radio buttons, each at its <code>place</code> if it has one) or <code>list</code> (a drop-down list); a
<code>date</code> is the day on which it signs. <code>calculated</code> is an expression over the keys of fields of the same party or of
parties that sign earlier, and <code>shown_when</code> a condition: a field whose condition is not met is hidden, and has no value. In a
file that replaces another, fields stand where it has their text or form field; those without a place are removed.</p>
${memberTable(PlacedFieldDto)}
<h3>Options</h3>${memberTable(PlacedOptionDto)}
<p>What a party enters is checked while it fills in the page and again when it signs. Values are stored as texts: a number with a decimal
point, a day as YYYY-MM-DD, a checkbox as true or false, a choice as its value. They are printed in the language of the document, part of
the evidence, and in <code>evidence.field_values</code> of the parties. Until the document is sealed, its pages show what those who have
signed filled in.</p>
<h3>A PDF as a type</h3>
<p><code>PUT /api/v1/org/papers/types/{id}/file</code> makes a PDF the text of all documents of a type, from the next published version on;
<code>DELETE</code> returns to the template. <code>PUT .../file/fields</code> places the <code>fields</code> of the parties, and
<code>values</code>: where members of <code>data_values</code> are printed, in the form in which templates print them. A value is printed
in every preview and when the document is finalized; one that is too long for its place is refused when the document is submitted.
Documents keep the file that they were created with.</p>
${memberTable(PlacedValueDto)}`;
}

function obligations(): Html {
  return html`<p>Obligations are created when the document comes into force: with the last signature, or when it is finalized if no party
signs.</p>
${memberTable(ObligationRuleDto)}`;
}

function example({ id, title, text, type, document, placed }: TypeExample): Html {
  return html`<h3 id="example-${id}">${title}: <code>${type.code}</code></h3>
<p>${text}</p>
<p><code>POST /api/v1/org/papers/types</code></p>
${json(type)}
<p><code>POST /api/v1/ext/papers/documents</code></p>
${json(document)}
${placed !== undefined && html`<p><code>PUT /api/v1/org/papers/documents/{id}/file/fields</code></p>\n${json(placed)}`}`;
}

function json(value: object): Html {
  return html`<pre><code class="json">${JSON.stringify(value, null, 2)}</code></pre>`;
}

function languageNames(): string {
  const names = new Intl.DisplayNames('en', { type: 'language' });
  const printed = PRINTED_LANGUAGES.map((language) => names.of(language) ?? language).sort();
  return new Intl.ListFormat('en', { type: 'conjunction' }).format(printed);
}

/** The members of a request's object, from its declaration. */
function memberTable(dto: Type): Html {
  const rows = [...fieldsOf(dto)].map(
    ([name, { kind, list, required = true, default: standard, values, description, minimum, maximum }]) => {
      const one = kind === 'map' ? 'object' : kind.replace('_', ' ');
      const type = list ? `list of ${one}s` : one;
      const limits = [minimum !== undefined && `from ${minimum}`, maximum !== undefined && `to ${maximum}`].filter(Boolean).join(' ');
      const notes = [
        values && `One of ${values.join(', ')}.`,
        limits !== '' && `${limits.charAt(0).toUpperCase()}${limits.slice(1)}.`,
        standard !== undefined && `Default: ${JSON.stringify(standard)}.`,
      ];
      return [name, required ? type : `${type}, optional`, [description, ...notes.filter(Boolean)].join(' ')];
    },
  );
  return table(['Member', 'Type', 'Meaning'], rows);
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): Html {
  const cell = (text: string, index: number) => html`<td data-label="${heads[index + 1]}">${withCode(text)}</td>`;
  return html`<table><thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead><tbody>
${rows.map(([first, ...rest]) => html`<tr><th scope="row"><code>${first}</code></th>${rest.map(cell)}</tr>\n`)}
</tbody></table>`;
}

/** Descriptions of fields have code between backticks. */
function withCode(text: string): Html[] {
  return text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));
}
