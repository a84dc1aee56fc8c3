import type { CustomFieldDefinition, CustomFieldValues, DomainError, FormProblem } from '../../../../kit/index.js';
import type { BookingQuestion } from '../../model/setup/booking-page.entity.js';
import { questionId } from '../html/booking-pages.js';

const WHOLE = /^[+-]?\d{1,15}$/;

/** The custom fields that the answers of a form fill in. A field that was deleted since stays out. */
export function answeredFields(
  answers: Readonly<Record<string, string | boolean>>,
  questions: readonly BookingQuestion[],
  definitions: readonly CustomFieldDefinition[],
): CustomFieldValues {
  const values: CustomFieldValues = {};
  for (const { key, custom_field } of questions) {
    const definition = definitions.find((field) => field.key === custom_field);
    if (definition && Object.hasOwn(answers, key)) values[definition.key] = valueOf(definition.type, answers[key]);
  }
  return values;
}

/** What cannot be converted stays as it was entered, and the field refuses it. */
function valueOf(type: string, answer: string | boolean): unknown {
  if (typeof answer === 'boolean') return type === 'boolean' ? answer : answer ? 'yes' : 'no';
  if ((type === 'integer' || type === 'money') && WHOLE.test(answer)) return Number(answer);
  if (type === 'decimal') return answer.replace(',', '.');
  return type === 'choices' ? [answer] : answer;
}

/** The problems of answers that a custom field refuses; null for other errors. */
export function refusedAnswers({ occurrence, message }: DomainError, questions: readonly BookingQuestion[]): FormProblem[] | null {
  const details = occurrence.details ?? [{ param: occurrence.param ?? '', message }];
  const problems = details.map(({ param, message: text }) => {
    const question = questions.find(({ custom_field }) => custom_field !== undefined && param === `custom_fields.${custom_field}`);
    return question && { field: questionId(question.key), text: `${question.label}: ${text.replace(`${param} `, 'the answer ')}` };
  });
  return problems.length > 0 && problems.every((problem) => problem !== undefined) ? problems : null;
}
