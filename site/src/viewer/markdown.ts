// The steps that are shown as Markdown, for a ticket or a handout.
import { seconds, stepText } from '../fmt.ts';
import type { Step } from '../gen/trace.ts';
import { t } from '../i18n.ts';

function cell(text: string): string { return text.replace(/\|/g, '\\|').replace(/\n/g, ' '); }

export function markdown(name: string, hash: string, all: readonly Step[]): string {
  const head = `# ${name}\n\n${t('mdHead', { n: all.length, hash })}\n\n| ${['step', 's', 'lane', 'kind', t('mdWhat')].join(' | ')} |\n| --: | --: | -- | -- | -- |\n`;
  return head + all.map((s) => `| ${s.i} | ${seconds(s.vtime_ms)} | ${cell(s.lane)} | ${s.kind} | ${cell(stepText(s))} |\n`).join('');
}
