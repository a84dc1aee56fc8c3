import type { ValueFault } from '../../model/core/data-values.js';
import { CURRENCY_FORMAT } from '../../model/core/value-formats.js';
import type { FormTexts } from './texts/texts.js';

type Problems = FormTexts['problems'];

const FORMATS: Readonly<Record<string, keyof Problems>> = {
  email: 'email',
  'date-time': 'time',
  uri: 'uri',
  phone: 'phone',
  party: 'party',
  user: 'user',
  [CURRENCY_FORMAT]: 'currency',
};
const LIMITS: Readonly<Record<string, 'shortest' | 'longest' | 'least' | 'most' | 'above' | 'below' | 'fewestRows' | 'mostRows'>> = {
  minLength: 'shortest',
  maxLength: 'longest',
  minimum: 'least',
  maximum: 'most',
  exclusiveMinimum: 'above',
  exclusiveMaximum: 'below',
  minItems: 'fewestRows',
  maxItems: 'mostRows',
};

/** A fault in the words of the form's language; `written`: a valid number and day, and the limit, as the language writes them. */
export function faultText(
  { keyword, params }: ValueFault,
  label: string,
  problems: Problems,
  written: { example: string; limit: string; day: string },
): string {
  const simple = (name: keyof Problems) => (problems[name] as (label: string) => string)(label);
  if (Object.hasOwn(LIMITS, keyword)) return problems[LIMITS[keyword]](label, written.limit);
  switch (keyword) {
    case 'type':
      return params.type === 'integer' || params.type === 'number' ? problems[params.type](label, written.example) : simple('invalid');
    case 'enum':
      return problems.oneOf(label, (params.allowedValues as unknown[]).map(String).join(', '));
    case 'const':
      return problems.oneOf(label, String(params.allowedValue));
    case 'format':
      if (params.format === 'date') return problems.date(label, written.day);
      return simple(Object.hasOwn(FORMATS, String(params.format)) ? FORMATS[String(params.format)] : 'format');
    case 'multipleOf':
      return problems.multiple(label, written.limit);
    default:
      return simple(keyword === 'pattern' ? 'format' : 'invalid');
  }
}
