/** Prints what the catcher of mails holds: the list, as JSON, or the mail of the number that is given. Runs in its container. */
const [number = ''] = process.argv.slice(2);
const answer = await fetch(`http://127.0.0.1:8080/${number}`, { headers: { accept: 'application/json' } });
console.log(answer.ok ? await answer.text() : `There is no mail ${number}.`);
process.exitCode = answer.ok ? 0 : 1;
