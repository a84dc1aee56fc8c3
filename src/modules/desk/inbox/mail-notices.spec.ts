import { expect, it } from '@jest/globals';
import { withoutNotices } from './mail-notices.js';

const TEXT = 'Hallo,\n\nwir brauchen ein Angebot.\n\nGruß\nZed';

it.each([
  '_______________________________________________\nSupport mailing list\nhttps://lists.example/support',
  '_________________________\nSupport mailing list -- support@demo.example\nTo unsubscribe send an email to support-leave@demo.example',
  '-- \nYou received this message because you are subscribed to the Google Groups "Support" group.',
  'Virenfrei. www.avast.com',
  '--\nThis mail was scanned by ExampleAV.',
  'Disclaimer\n\nThe information contained in this communication from the sender is confidential.',
  'Bitte denken Sie an die Umwelt, bevor Sie diese E-Mail drucken.',
])('the notice %j after a text is left out', (notice) => {
  expect(withoutNotices(`${TEXT}\n\n${notice}`).trim()).toBe(TEXT);
});

it.each([
  'CAUTION: This email originated from outside of the organization. Do not click links.',
  'WARNING: External sender',
  'ATTENTION : Ce courriel provient d’un expéditeur externe.',
  'ACHTUNG: Diese E-Mail kommt von einem externen Absender.',
])('the notice %j before a text is left out', (notice) => {
  expect(withoutNotices(`${notice}\n\n${TEXT}`).trim()).toBe(TEXT);
});

it.each([
  'Außerdem bitte 50 Stück mehr.',
  'Please remove me from the mailing list of your shop, and cancel order 4711.',
  'Our external sender number is 4711.',
  'We need the disclaimer in French.',
])('the text %j is kept', (more) => {
  expect(withoutNotices(`${TEXT}\n\n${more}`)).toContain(more);
});
