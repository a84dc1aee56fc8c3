import { html, type Html } from '../../kit/index.js';
import { icon } from '../../kit/internal.js';

interface Step {
  number: number;
  title: string;
  body: Html;
  isDone: boolean;
  /** Whether it can be done now. */
  isNow?: boolean;
}

/** An item of a list of steps. */
export function step({ number, title, body, isDone, isNow = false }: Step): Html {
  const state = isDone ? ' done' : isNow ? ' now' : '';
  return html`<li><span class="dot${state}" aria-hidden="true">${isDone ? icon('check') : number}</span>
<h2>${title}${isDone && html`<span class="away">, done</span>`}</h2>${body}</li>`;
}

/** Steps in their order. */
export function stepList(steps: Html): Html {
  return html`<ol class="stepper">${steps}</ol>`;
}
