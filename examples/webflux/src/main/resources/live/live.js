// Draws what the service tells twice a second. Chart comes from the WebJar.
const KEPT = 120;
const byId = (id) => document.getElementById(id);
const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

function options(legend, range) {
  const text = { color: colour('--faint') };
  return {
    animation: false,
    responsive: true,
    maintainAspectRatio: false,
    plugins: { legend: { display: legend, labels: text }, tooltip: { enabled: legend } },
    scales: {
      x: { display: false },
      y: { beginAtZero: true, ticks: { ...text, maxTicksLimit: 4 }, grid: { color: colour('--line') }, ...range },
    },
  };
}

const names = [['buffer', ['buffered', 'orders/s']], ['latency', ['ms']]];
const history = { buffered: [], 'orders/s': [], ms: [] };
const charts = {};

function draw() {
  Object.values(charts).forEach((chart) => chart.destroy());
  for (const [id, series] of names) {
    charts[id] = new Chart(byId(id), {
      type: 'line',
      data: {
        labels: history[series[0]].map(() => ''),
        datasets: series.map((name, i) => ({
          label: name, data: [...history[name]], pointRadius: 0, borderWidth: 2,
          borderDash: i ? [6, 3] : [], borderColor: colour(i ? '--second' : '--first'),
        })),
      },
      options: options(series.length > 1),
    });
  }
  for (const id of ['plain', 'reversed', 'sharded']) {
    charts[id] = new Chart(byId(id), {
      type: 'bar',
      data: {
        labels: Array.from({ length: 64 }, (_, i) => `part ${i + 1}`),
        datasets: [{ data: [], backgroundColor: colour('--first'), categoryPercentage: 1, barPercentage: 0.9 }],
      },
      options: options(false),
    });
  }
}

function remember(name, value) {
  history[name].push(value);
  history[name].splice(0, history[name].length - KEPT);
}

function plot(id, series) {
  charts[id].data.labels = history[series[0]].map(() => '');
  series.forEach((name, i) => { charts[id].data.datasets[i].data = [...history[name]]; });
  charts[id].update();
}

function keys(id, counts) {
  charts[id].data.datasets[0].data = counts;
  charts[id].update();
  const used = counts.filter((count) => count > 0).length;
  const rows = counts.reduce((sum, count) => sum + count, 0);
  const most = rows ? Math.round((100 * Math.max(...counts)) / rows) : 0;
  byId(`${id}-text`).textContent = rows
    ? `${rows} rows in ${used} of 64 parts; the fullest has ${most} %`
    : 'no rows yet';
}

function rows(id, lines) {
  byId(id).replaceChildren(...lines.map((line) => {
    const row = document.createElement('tr');
    row.append(...line.map((value) => {
      const cell = document.createElement('td');
      cell.textContent = value;
      return cell;
    }));
    return row;
  }));
}

function press(id, pressed, on, off) {
  byId(id).classList.toggle('on', pressed);
  byId(id).textContent = pressed ? on : off;
}

// A screen reader hears the status when it changes, and only then.
let said = '';
function say(text, bad) {
  if (text !== said) {
    said = text;
    byId('status').textContent = text;
    byId('status').classList.toggle('bad', bad);
  }
}

let before = null;
let recovery = 0; // until when a recovery is news
const NEWS_MS = 15000;
function status(state) {
  if (state.cut) {
    recovery = Infinity;
    say('The database is cut off. Numbers in the buffer are still good; orders wait or fail.', true);
  } else if (state.sequences.some((sequence) => sequence.failing)) {
    say('The last reservation failed. It is tried again.', true);
  } else if (performance.now() < recovery) {
    recovery = Math.min(recovery, performance.now() + NEWS_MS);
    say(state.loading ? 'The database is back. Orders are placed again.' : 'The database is back.', false);
  } else {
    say(state.loading ? 'The load runs.' : 'Idle. Start the load.', false);
  }
}

function show(state) {
  // By the service's clock: several pictures may arrive at once. After a restart it begins anew.
  const seconds = before ? state.seconds - before.seconds : 0;
  const rate = seconds > 0 ? Math.max(0, (state.placed - before.placed) / seconds) : 0;
  before = state;
  byId('placed').textContent = state.placed;
  byId('failed').textContent = state.failed;
  byId('rate').textContent = Math.round(rate);
  press('load', state.loading, 'Stop load', 'Start load');
  press('outage', state.cut, 'Connect the database', 'Cut the database');
  status(state);
  rows('sequences', state.sequences.map((each) => [each.name, each.buffered, each.waiting, each.issued,
    each.reservations, each.latencyMillis.toFixed(1), each.failing ? 'failing' : 'good']));
  rows('holders', state.holders.length
    ? state.holders.map((each) => [each.name, each.blocks, each.values])
    : [[state.ledger ? 'No block is known yet.' : 'The ledger is off.', '', '']]);
  remember('buffered', state.sequences.reduce((sum, each) => sum + each.buffered, 0));
  remember('orders/s', rate);
  remember('ms', Math.max(0, ...state.sequences.map((each) => each.latencyMillis)));
  names.forEach(([id, series]) => plot(id, series));
  byId('buffer-text').textContent = `now ${history.buffered.at(-1)} values, ${Math.round(rate)} orders per second`;
  byId('latency-text').textContent = `last ${history.ms.at(-1).toFixed(1)} ms`;
  keys('plain', state.keys.plain);
  keys('reversed', state.keys.reversed);
  keys('sharded', state.keys.sharded);
}

async function send(path, id) {
  const pressed = byId(id).classList.contains('on');
  try {
    const answer = await fetch(path, { method: pressed ? 'DELETE' : 'PUT' });
    if (!answer.ok) {
      say(`The service refused: ${answer.status}.`, true);
    }
  } catch {
    say('The service does not answer.', true);
  }
}

byId('load').addEventListener('click', () => send('/live/load', 'load'));
byId('outage').addEventListener('click', () => send('/live/outage', 'outage'));
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);

draw();
function listen() {
  const events = new EventSource('/live/events');
  events.addEventListener('message', (event) => show(JSON.parse(event.data)));
  events.addEventListener('error', () => {
    say('The page has lost the service, and tries again.', true);
    // After an answer that is not the stream, a browser does not try again by itself.
    if (events.readyState === EventSource.CLOSED) {
      setTimeout(listen, 2000);
    }
  });
}
listen();
