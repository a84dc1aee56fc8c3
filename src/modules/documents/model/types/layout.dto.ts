import { Field } from '../../../../kit/index.js';

export const PAPERS = ['a4', 'a5', 'letter', 'legal', 'custom'] as const;

const margin = (side: string, standard: string, minimum: number) =>
  ({
    description: `The ${side} margin, in millimeters; null for ${standard}.`,
    example: minimum + 10,
    minimum,
    maximum: 200,
    required: false,
    nullable: true,
  }) as const;

const line = (description: string, example: string | null) =>
  ({ description, example, minLength: 0, maxLength: 500, required: false, nullable: true }) as const;

/** The pages of a type's documents. */
export class LayoutDto {
  @Field.oneOf(PAPERS, {
    description: 'The paper; custom has width_mm and height_mm.',
    example: 'a4',
    required: false,
    default: 'a4',
  })
  paper: (typeof PAPERS)[number];

  @Field.number({
    description: 'Width of custom paper, in millimeters.',
    example: null,
    minimum: 100,
    maximum: 1_000,
    required: false,
    nullable: true,
  })
  width_mm: number | null;

  @Field.number({
    description: 'Height of custom paper, in millimeters.',
    example: null,
    minimum: 100,
    maximum: 1_000,
    required: false,
    nullable: true,
  })
  height_mm: number | null;

  @Field.boolean({
    description: 'Whether the paper lies on its long side.',
    example: false,
    required: false,
    default: false,
  })
  landscape: boolean;

  @Field.number(margin('top', '32', 15))
  margin_top_mm: number | null;

  @Field.number(margin('right', '26', 5))
  margin_right_mm: number | null;

  @Field.number(margin('bottom', '28', 15))
  margin_bottom_mm: number | null;

  @Field.number(margin('left', '26', 5))
  margin_left_mm: number | null;

  @Field.string(
    line(
      'The line above the text, in the PDF: text with tokens such as {{document.number}} and {{page}}, {{pages}}. A vertical bar divides ' +
        'it into parts at the left, in the center and at the right. Null for the title and number, empty for none.',
      '{{document.title}} | {{document.number}}',
    ),
  )
  header: string | null;

  @Field.string(line('The line below the text, as header; null for the page number.', 'Page {{page}} of {{pages}}'))
  footer: string | null;

  @Field.string(line('The header of the first page; null for the logo of the organization, or else that of the other pages.', null))
  first_header: string | null;

  @Field.string(line('The footer of the first page; null for that of the other pages.', null))
  first_footer: string | null;

  @Field.oneOf(['code', 'symbol'], {
    description: 'Whether amounts show the code of their currency (EUR) or its symbol (€).',
    example: 'code',
    required: false,
    default: 'code',
  })
  currency: 'code' | 'symbol';
}
