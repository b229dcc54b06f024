package zkdata

import (
	"bytes"

	"controllerscope/core/kafka"
)

// canonicalState reads a partition state in exactly the form that EncodeTopicPartitionState writes, many times faster than
// the general decoder: a failover reads every partition's. ok is false for any other text, which says nothing about it.
func canonicalState(data []byte) (l kafka.Leadership, ok bool) {
	s := scanner{rest: data, ok: true}
	s.literal(`{"controller_epoch":`)
	l.ControllerEpoch = s.int32()
	s.literal(`,"leader":`)
	l.Leader = kafka.BrokerID(s.int32())
	s.literal(`,"version":1,"leader_epoch":`)
	l.LeaderEpoch = s.int32()
	s.literal(`,"isr":[`)
	l.ISR = make([]kafka.BrokerID, 0, 4)
	for s.ok && !bytes.HasPrefix(s.rest, []byte{']'}) {
		if len(l.ISR) > 0 {
			s.literal(`,`)
		}
		l.ISR = append(l.ISR, kafka.BrokerID(s.int32()))
	}
	s.literal(`]}`)
	return l, s.ok && len(s.rest) == 0
}

// scanner consumes text from its front; ok turns false at the first thing that is not as asked and stays so.
type scanner struct {
	rest []byte
	ok   bool
}

func (s *scanner) literal(text string) {
	if len(s.rest) < len(text) || string(s.rest[:len(text)]) != text {
		s.ok = false
		return
	}
	s.rest = s.rest[len(text):]
}

// int32 reads a number as JSON writes one: no leading zero, no plus. Nine digits at most: longer ones are left to the
// general decoder.
func (s *scanner) int32() int32 {
	negative := len(s.rest) > 0 && s.rest[0] == '-'
	digits := s.rest
	if negative {
		digits = digits[1:]
	}
	n, i := int32(0), 0
	for i < len(digits) && digits[i] >= '0' && digits[i] <= '9' && i < 9 {
		n = 10*n + int32(digits[i]-'0')
		i++
	}
	if i == 0 || i > 1 && digits[0] == '0' {
		s.ok = false
	}
	s.rest = digits[i:]
	if negative {
		return -n
	}
	return n
}
