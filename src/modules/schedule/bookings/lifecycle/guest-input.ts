import { isEmailAddress, type FormProblem } from '../../../../kit/index.js';
import type { BookingQuestion } from '../../model/setup/booking-page.entity.js';
import { questionId, type BookingDraft } from '../html/booking-pages.js';

/** What a visitor entered, checked. */
export interface GuestInput {
  name: string;
  email: string;
  phone: string | null;
  notes: string | null;
  answers: Record<string, string | boolean>;
}

const LONGEST = { name: 200, phone: 40, notes: 2_000, text: 500, long_text: 5_000 };
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;
const PHONE = /^[+0-9][0-9 ()/.-]*$/;

/** Checks what a visitor entered; `field` of a problem is the id of the form's field. */
export function readGuest(draft: BookingDraft, questions: readonly BookingQuestion[]): { guest: GuestInput; problems: FormProblem[] } {
  const problems: FormProblem[] = [];
  const text = (field: string, label: string, value: string, most: number, isRequired = false) => {
    const trimmed = value.trim();
    if (isRequired && trimmed === '') problems.push({ field, text: `${label} is required.` });
    else if (trimmed.length > most) problems.push({ field, text: `${label} must have at most ${most} characters.` });
    else if (CONTROL.test(trimmed) || !trimmed.isWellFormed())
      problems.push({ field, text: `${label} contains characters that are not text.` });
    return trimmed;
  };
  const name = text('name', 'Your name', draft.name.replace(/\s+/g, ' '), LONGEST.name, true);
  const email = draft.email.trim();
  if (email === '') problems.push({ field: 'email', text: 'E-mail is required.' });
  else if (!isEmailAddress(email)) problems.push({ field: 'email', text: 'E-mail must be an e-mail address.' });
  const phone = text('phone', 'Phone', draft.phone, LONGEST.phone);
  if (phone !== '' && phone.length <= LONGEST.phone && !PHONE.test(phone))
    problems.push({ field: 'phone', text: 'Phone must be a phone number, such as +49 30 901820.' });
  const answers: Record<string, string | boolean> = {};
  for (const question of questions) {
    const { key, label, kind, required, options = [] } = question;
    const field = questionId(key);
    const value = draft.answers[key] ?? '';
    if (kind === 'checkbox') {
      answers[key] = value === 'yes';
      if (required && value !== 'yes') problems.push({ field, text: `Please tick: ${label}` });
    } else if (kind === 'choice') {
      if (value === '' && required) problems.push({ field, text: `Please choose: ${label}` });
      else if (value !== '' && !options.includes(value)) problems.push({ field, text: `Please choose one of the options: ${label}` });
      else if (value !== '') answers[key] = value;
    } else {
      if (required && value.trim() === '') problems.push({ field, text: `Please answer: ${label}` });
      const answer = text(field, label, value, LONGEST[kind]);
      if (answer !== '') answers[key] = answer;
    }
  }
  const notes = text('notes', 'The note', draft.notes, LONGEST.notes);
  return { guest: { name, email, phone: phone || null, notes: notes || null, answers }, problems };
}
